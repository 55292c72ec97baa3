from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from gerotor.core.evaluate import evaluate
from gerotor.hydraulics.resistive_line import ResistiveLine
from gerotor.hydraulics.switched_line import SwitchedLine

LINE = ResistiveLine(turbulent_resistance=2e11)


def test_worked_number() -> None:
    """80 L/min through 1.97e12 and 2e11 Pa s^2/m^6: 35 bar and 3.6 bar."""
    Q = 80e-3 / 60
    assert 160e5 - evaluate(LINE, p0=160e5, R=1.97e12, Qa=Q)["pa"] == pytest.approx((1.97e12 + 2e11) * Q**2, rel=1e-9)


@given(st.floats(-2e-3, 2e-3))
def test_steady_limit_of_the_line_with_storage(flow: float) -> None:
    full = SwitchedLine(
        inertance=1.2e7, capacitance=1.65e-12, closed_resistance=1e18, time_constant=0.01, turbulent_resistance=2e11
    )
    steady = {"Q": flow, "Qa": flow, "p0": 160e5, "R": 5e12, "opened": 1.0}
    p = brentq(lambda p: float(evaluate(full, p=p, **steady)["d_Q"]), -1e9, 1e9, xtol=1e-6)
    small = evaluate(LINE, p0=160e5, R=5e12, Qa=flow)["pa"]
    assert small == pytest.approx(evaluate(full, p=p, **steady)["pa"], rel=1e-9, abs=5.0)


@given(Q=st.floats(-1e3, 1e3), p=st.floats(-1e12, 1e12))
def test_finite(check_finite: Any, Q: float, p: float) -> None:
    check_finite(LINE, p0=p, R=1e18, Qa=Q)


def test_units(check_units: Any) -> None:
    check_units(ResistiveLine(resistance=2e8, turbulent_resistance=2e11), p0=1e7, R=2e12, Qa=3e-4)
