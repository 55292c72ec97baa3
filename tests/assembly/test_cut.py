import pytest

from gerotor.assembly.cut import cut
from gerotor.errors import WiringError
from tests.reduction import rx90


def test_what_comes_from_other_parts_becomes_an_input() -> None:
    ode = cut(rx90.system(), ["arm", "spring"]).ode()
    assert ode.inputs.names == [f"gear.F.{k}" for k in range(1, 7)] + [f"friction{k}.F" for k in range(1, 8)]
    assert ode.states.names == [f"arm.{z}.j{k}" for z in "qv" for k in range(1, 7)]


def test_one_part_alone_and_unknown_parts() -> None:
    ode = cut(rx90.system(), ["friction7"]).ode()
    assert ode.inputs.names == ["arm.v.j5", "arm.v.j6"]
    with pytest.raises(WiringError, match="unknown part 'sprung'"):
        cut(rx90.system(), ["arm", "sprung"])
