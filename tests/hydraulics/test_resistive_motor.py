from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.core.evaluate import evaluate
from gerotor.hydraulics.resistive_motor import ResistiveMotor

D, R_IN, R_EX = 2e-3, 9e11, 3e12
SWING = ResistiveMotor(displacement=D, line_resistance=2e8, internal_resistance=R_IN, external_resistance=R_EX)


@given(w=st.floats(-0.5, 0.5), forward=st.booleans(), R=st.sampled_from([5.04e12, 1e14, 1e16, 1e18]))
def test_flows_balance_and_power_is_lost_not_made(w: float, forward: bool, R: float) -> None:
    p01, p02 = (160e5, 2e5) if forward else (2e5, 160e5)
    y = evaluate(SWING, p01=p01, p02=p02, R=R, w=w)
    through = D * w + (y["pe"] - y["pf"]) / R_IN
    size = abs(through) + 160e5 / R_EX
    assert abs(y["Q1"] - through - y["pe"] / R_EX) < 1e-9 * size
    assert abs(y["Q2"] + through - y["pf"] / R_EX) < 1e-9 * size
    assert p01 * y["Q1"] + p02 * y["Q2"] >= y["tau"] * w - 1e-9 * abs(y["tau"] * w) - 1e-9


def test_stalled_it_gives_nearly_the_full_drop() -> None:
    """158 bar times 2e-3 m^3 = 31.6 kN m, less what the leaks take through the open orifices."""
    tau = evaluate(SWING, p01=160e5, p02=2e5, R=5.04e12, w=0.0)["tau"]
    assert tau == pytest.approx(31.6e3, rel=2e-3) and tau < 31.6e3


@given(w=st.floats(-1e3, 1e3), p=st.floats(-1e10, 1e10))
def test_finite(check_finite: Any, w: float, p: float) -> None:
    check_finite(SWING, p01=p, p02=-p, R=1e18, w=w)


def test_units(check_units: Any) -> None:
    check_units(SWING, p01=160e5, p02=2e5, pc=1e5, R=1e14, w=0.1)
