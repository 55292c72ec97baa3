from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.core.evaluate import evaluate
from gerotor.hydraulics.orifice import Orifice

THROTTLE = Orifice(area=1.522e-5, discharge_coefficient=0.5, density=869)


def test_passes_the_pump_flow_at_the_static_start() -> None:
    """[khadim2021]: 1e-3 m^3/s from 7.6 to 0.1 MPa; gain 3.6515e-7."""
    assert float(THROTTLE.gain) == pytest.approx(3.6515e-7, rel=1e-3)
    assert evaluate(THROTTLE, p1=7.6e6, p2=0.1e6)["Q"] == pytest.approx(1e-3, rel=1e-3)


@given(p1=st.floats(-1e12, 1e12), p2=st.floats(-1e12, 1e12))
def test_odd_passive_finite(check_finite: Any, p1: float, p2: float) -> None:
    Q = evaluate(THROTTLE, p1=p1, p2=p2)["Q"]
    assert -evaluate(THROTTLE, p1=p2, p2=p1)["Q"] == Q
    assert Q * (p1 - p2) >= 0
    check_finite(THROTTLE, p1=p1, p2=p2)


def test_units(check_units: Any) -> None:
    check_units(THROTTLE, p1=7.6e6, p2=1e5)
