import math
from typing import Any

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.core.evaluate import evaluate, function
from gerotor.errors import ParameterError
from gerotor.hydraulics.two_bar import TwoBar

BOOM = TwoBar(base_distance=0.65, rod_distance=1.10, angle=1.169)
STICK = TwoBar(base_distance=1.10, rod_distance=0.48, angle=0.10, direction=-1)


def test_nominal_pose_of_the_forestry_machine() -> None:
    """Boom at 0.35 rad: 1.248 m, +0.572 m/rad; stick at -1.2 rad: 1.076 m, -0.473 m/rad."""
    boom, stick = evaluate(BOOM, q=0.35), evaluate(STICK, q=-1.2)
    assert (boom["l"], boom["J"]) == pytest.approx((1.248, 0.572), abs=6e-4)
    assert (stick["l"], stick["J"]) == pytest.approx((1.076, -0.473), abs=6e-4)


def test_isosceles_triangle_of_the_four_bar() -> None:
    """Eyes 1 m from the pivot, angle pi - q: l = 2 cos(q / 2), dl/dq = -sin(q / 2); sqrt(3) at 60 deg."""
    part = TwoBar(base_distance=1.0, rod_distance=1.0, angle=math.pi, direction=-1)
    y = evaluate(part, q=math.pi / 3)
    assert (y["l"], y["J"]) == pytest.approx((math.sqrt(3), -0.5), rel=1e-12)


@given(q=st.floats(-3, 3), part=st.sampled_from([BOOM, STICK]))
def test_lever_arm_and_its_slope_are_derivatives(q: float, part: TwoBar) -> None:
    symbol = ca.SX.sym("q")
    out = function(part)(q=symbol)
    slopes = ca.Function("s", [symbol], [ca.jacobian(out["l"], symbol), ca.jacobian(out["J"], symbol)])(q)
    y = evaluate(part, q=q)
    np.testing.assert_allclose([y["J"], y["K"]], np.array(slopes, float).ravel(), atol=1e-12)


@given(q=st.floats(-3, 3), w=st.floats(-9, 9), F=st.floats(-1e6, 1e6))
def test_power_is_kept(q: float, w: float, F: float) -> None:
    y = evaluate(STICK, q=q, w=w, F=F)
    assert y["tau"] * w == pytest.approx(F * y["v"], rel=1e-12, abs=1e-9)


@given(q=st.one_of(st.floats(-1e6, 1e6), st.just(0.0)))
def test_finite(check_finite: Any, q: float) -> None:
    check_finite(BOOM, q=q, w=1.0, F=1e5)
    check_finite(TwoBar(base_distance=1.0, rod_distance=1.0, angle=0.0), q=q, w=1.0, F=1e5)


def test_units_and_direction(check_units: Any) -> None:
    check_units(BOOM, q=0.3, w=0.2, F=1e4)
    with pytest.raises(ParameterError, match="direction = 2: must be 1 or -1"):
        TwoBar(base_distance=1.0, rod_distance=1.0, angle=0.0, direction=2)
