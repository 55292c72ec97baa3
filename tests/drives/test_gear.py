import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.core.evaluate import evaluate
from gerotor.drives.gear import Gear
from gerotor.errors import ParameterError


def test_worked_numbers() -> None:
    """150 N m at the shaft is 24 kN m at the joint; 4e-3 kg m^2 is 102.4 kg m^2; 960 rpm is 36 deg/s."""
    gear = Gear(ratio=160.0)
    assert evaluate(gear, tau=150.0)["F"] == pytest.approx(24e3)
    assert gear.reflected(4e-3) == pytest.approx(102.4)
    assert evaluate(gear, v=math.radians(36))["w"] * 60 / (2 * math.pi) == pytest.approx(960)


@given(n=st.floats(-500, 500).filter(bool), v=st.floats(-10, 10), tau=st.floats(-1e4, 1e4))
def test_power_is_kept(n: float, v: float, tau: float) -> None:
    y = evaluate(Gear(ratio=n), v=v, tau=tau)
    assert y["F"] * v == pytest.approx(tau * y["w"], rel=1e-12, abs=1e-300)


def test_a_gear_that_turns_nothing_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"Gear\.ratio = 0: must not be 0"):
        Gear(ratio=0.0)


def test_units(check_units: Any) -> None:
    check_units(Gear(ratio=160.0), v=1.0, tau=2.0)
