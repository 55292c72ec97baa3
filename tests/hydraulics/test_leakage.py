from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.core.evaluate import evaluate
from gerotor.hydraulics.leakage import LaminarLeakage, TurbulentLeakage

TURBULENT = TurbulentLeakage(gain=1.0e-9)
LAMINAR = LaminarLeakage(conductance=1 / 9e11)


def test_worked_numbers() -> None:
    """1e-9 m^3/s/sqrt(Pa) at 140 bar is 0.22 L/min; 9e11 Pa s/m^3 at 150 bar is 1 L/min."""
    assert evaluate(TURBULENT, p1=140e5, p2=0.0)["Q"] * 6e4 == pytest.approx(0.2245, rel=1e-3)
    assert evaluate(LAMINAR, p1=150e5, p2=0.0)["Q"] * 6e4 == pytest.approx(1.0, rel=1e-9)


@given(p1=st.floats(-1e12, 1e12), p2=st.floats(-1e12, 1e12))
def test_odd_passive_and_finite(check_finite: Any, p1: float, p2: float) -> None:
    for part in (TURBULENT, LAMINAR):
        check_finite(part, p1=p1, p2=p2)
        there, back = evaluate(part, p1=p1, p2=p2)["Q"], evaluate(part, p1=p2, p2=p1)["Q"]
        assert there == -back
        assert there * (p1 - p2) >= 0


def test_units(check_units: Any) -> None:
    check_units(TURBULENT, p1=1e7, p2=2e6)
    check_units(LAMINAR, p1=1e7, p2=2e6)
