"""Drives behind lines in machine files: what is wrong is said at load."""

import pytest

from gerotor.errors import InputError, ParameterError
from gerotor.machines import load_machine


def varied(joint, **actuator):
    return load_machine("forestry-crane").varied({"joints": [{"name": joint, "actuator": actuator}]})


@pytest.mark.parametrize(("joint", "actuator", "message"), [
    ("boom", {"cylinder": {"rod": "130 mm"}}, "boom.actuator.cylinder.rod = 0.13 m: must be between 0 and the bore"),
    ("boom", {"cylinder": {"stroke": "3 kg"}}, "wrong dimension"),
    ("boom", {"spring": 3}, "unknown key 'spring'"),
    ("boom", {"line": {"closed_resistance": "1e18 Pa*s^2/m^6"}}, "unknown parameter 'closed_resistance'"),
    ("swing", {"gear": {"ratio": -3}}, "swing.actuator.gear.ratio = -3: must be above 0"),
    ("swing", {"valve": {"overlap": "11 V"}}, "overlap = 11 V: must be below full_command = 10 V"),
    ("stick", {"damping": "-1 N*s/m"}, "stick.actuator.damping = -1"),
])
def test_a_wrong_value_is_named(joint, actuator, message):
    with pytest.raises((InputError, ParameterError), match=message.replace("(", r"\(").replace("*", r"\*")) as error:
        varied(joint, **actuator).assemble()
    assert "forestry_crane.yaml" in str(error.value) and "\n" not in str(error.value)


def test_depth_of_model_is_one_of_the_known():
    with pytest.raises(InputError, match=r"model\.lines = 'thin'"):
        load_machine("forestry-crane").varied({"model": {"lines": "thin"}})


def test_supply_is_needed():
    with pytest.raises(InputError, match="needs `supply`"):
        load_machine("forestry-crane").varied({"supply": None}).assemble()


def test_closed_resistance_may_be_tunable():
    path = "stick.actuator.valve.closed_resistance"
    ode = load_machine("forestry-crane").varied({"tunable": [path]}).ode()
    assert ode.parameters.unpack(ode.parameters.array("start")) == {path: 1e18}
