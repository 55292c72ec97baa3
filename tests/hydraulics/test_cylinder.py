import math
from typing import Any

import casadi as ca
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.core.evaluate import evaluate, function
from gerotor.hydraulics.cylinder import Cylinder

FOUR_BAR = Cylinder(piston_area=2e-3, rod_side_area=1.8e-3, stroke=0.8, retracted_length=math.sqrt(3) - 0.5)


def test_static_start() -> None:
    """[khadim2021]: F = -2413 N from 1 MPa and 2.451 MPa; columns 0.5 and 0.3 m."""
    y = evaluate(FOUR_BAR, p1=1e6, p2=2.451e6, l=math.sqrt(3))
    assert y["F"] == pytest.approx(-2413, rel=1e-3)
    assert (y["V1"], y["V2"]) == pytest.approx((1e-3, 5.4e-4))


@given(p1=st.floats(-1e8, 1e8), p2=st.floats(-1e8, 1e8), v=st.floats(-5, 5))
def test_power_balance(p1: float, p2: float, v: float) -> None:
    y = evaluate(FOUR_BAR, p1=p1, p2=p2, v=v, l=1.5)
    assert y["F"] * v == pytest.approx(p1 * y["Q1"] + p2 * y["Q2"], rel=1e-12, abs=1e-9 * (abs(p1) + abs(p2)))


def test_swept_flow_is_the_rate_of_the_volumes(check_units: Any) -> None:
    l = ca.SX.sym("l")
    out = function(FOUR_BAR)(l=l, v=0.3)
    for V, Q in (("V1", "Q1"), ("V2", "Q2")):
        assert float(ca.evalf(ca.jacobian(out[V], l))) * 0.3 == pytest.approx(float(ca.evalf(out[Q])))
    check_units(FOUR_BAR, p1=1e6, p2=2e6, l=1.5, v=0.2)
