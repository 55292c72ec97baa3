from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.core.evaluate import evaluate
from gerotor.hydraulics.compensated_pump import CompensatedPump

PUMP = CompensatedPump(set_pressure=160e5, band=10e5, full_flow=2e-3, time_constant=0.05)


@pytest.mark.parametrize(("ps", "Q"), [(0.0, 2e-3), (150e5, 2e-3), (155e5, 1e-3), (160e5, 0.0), (300e5, 0.0)])
def test_steady_flow(ps: float, Q: float) -> None:
    assert evaluate(PUMP, Q=Q, ps=ps)["d_Q"] == pytest.approx(0, abs=1e-12)


def test_time_constant(check_units: Any) -> None:
    assert evaluate(PUMP, Q=0.0, ps=0.0)["d_Q"] == pytest.approx(2e-3 / 0.05)
    check_units(PUMP, Q=1e-4, ps=153e5)


@given(ps=st.floats(-1e12, 1e12), Q=st.floats(-1e6, 1e6))
def test_finite(check_finite: Any, ps: float, Q: float) -> None:
    check_finite(PUMP, Q=Q, ps=ps)
