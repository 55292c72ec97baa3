"""Names and axes of plots."""

import pytest

from gerotor.realtime.stage import Gauge
from gerotor.viewer.plots import axis, round_up, short


def test_a_signed_axis_has_a_least_reach_and_a_pressure_none() -> None:
    ends = axis(Gauge("error", "rad", ("a",), ("b",)))["range"]
    assert (ends["min"]["soft"], ends["max"]["soft"]) == (-0.02, 0.02)
    assert axis(Gauge("current", "A", ("i",), top=0.02))["range"]["max"]["soft"] == pytest.approx(0.4)  # mA
    assert axis(Gauge("pressure", "Pa", ("p",))) == {"auto": True}


@pytest.mark.parametrize(("value", "up"), [(0.0, 1.0), (1.0, 1.0), (1.1, 2.0), (3e-4, 5e-4), (70.0, 100.0)])
def test_round_numbers(value: float, up: float) -> None:
    assert round_up(value) == pytest.approx(up)


def test_names_for_people() -> None:
    assert short("j1.line_1.p") == "j1 line 1"
    assert short("arm.v.j2") == "j2"
    assert short("rope.F.x") == "rope F x"
