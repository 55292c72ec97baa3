from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.core.evaluate import evaluate
from gerotor.hydraulics.locked_motor import LockedMotor
from gerotor.hydraulics.resistive_motor import ResistiveMotor

VALUES = {"displacement": 2e-3, "line_resistance": 2e8, "internal_resistance": 9e11, "external_resistance": 3e12}
SWING = LockedMotor(**VALUES, closed_resistance=1e18)


@pytest.mark.parametrize(
    ("tau", "pe", "pf", "r"), [(0, 29, 29, 1.3), (2e3, 35, 25, 0.6), (-2e3, 24, 34, 2.0), (8e3, 53, 13, -1.5)]
)
def test_worked_numbers(tau: float, pe: float, pf: float, r: float) -> None:
    """Port pressures in bar and residual speed in mrad/s, found by bracketing."""
    y = evaluate(SWING, p01=160e5, p02=2e5, tau=tau)
    assert (y["pe"] / 1e5, y["pf"] / 1e5) == (pytest.approx(pe, abs=0.6), pytest.approx(pf, abs=0.6))
    assert y["r"] * 1e3 == pytest.approx(r, abs=0.05)


@given(tau=st.floats(-3e4, 3e4), forward=st.booleans())
def test_at_its_residual_speed_the_turning_motor_gives_the_held_torque(tau: float, forward: bool) -> None:
    p01, p02 = (160e5, 2e5) if forward else (2e5, 160e5)
    y = evaluate(SWING, p01=p01, p02=p02, tau=tau)
    turning = evaluate(ResistiveMotor(**VALUES), p01=p01, p02=p02, R=1e18, w=y["r"])
    assert turning["tau"] == pytest.approx(tau, rel=1e-8, abs=1e-4)
    assert turning["pe"] == pytest.approx(y["pe"], rel=1e-8, abs=1e-2)


@given(tau=st.floats(-1e10, 1e10))
def test_finite(check_finite: Any, tau: float) -> None:
    check_finite(SWING, p01=160e5, p02=2e5, tau=tau)


def test_units(check_units: Any) -> None:
    check_units(SWING, p01=160e5, p02=2e5, pc=1e5, tau=2e3)
