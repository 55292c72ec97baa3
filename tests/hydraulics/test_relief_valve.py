from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.core.evaluate import evaluate
from gerotor.hydraulics.relief_valve import ReliefValve

RELIEF = ReliefValve(cracking_pressure=7.0e6, gain=2e-9, corner=5e4)


def test_worked_numbers() -> None:
    """0.5 MPa above 7.1 MPa (tank 0.1): 1e-3 m^3/s; at the cracking pressure K w / 2."""
    assert evaluate(RELIEF, p1=7.6e6, p2=0.1e6)["Q"] == pytest.approx(1e-3, rel=3e-3)
    assert evaluate(RELIEF, p1=7.1e6, p2=0.1e6)["Q"] == pytest.approx(2e-9 * 5e4 / 2)
    assert evaluate(RELIEF, p1=5e6, p2=0.0)["Q"] < 1e-6


@given(p=st.floats(-1e12, 1e12))
def test_never_flows_back_and_finite(check_finite: Any, p: float) -> None:
    assert evaluate(RELIEF, p1=p, p2=0.0)["Q"] >= 0
    check_finite(RELIEF, p1=p, p2=-p)


def test_units(check_units: Any) -> None:
    check_units(RELIEF, p1=7.2e6, p2=1e5)
