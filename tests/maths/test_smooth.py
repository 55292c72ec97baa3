import math

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.maths import smooth

x = ca.SX.sym("x")
W = 1e3
SMOOTH = {
    "absolute": smooth.absolute(x, W), "sign": smooth.sign(x, W), "root": smooth.signed_root(x, W),
    "square": smooth.signed_square(x, W), "ramp": smooth.ramp(x, W), "gate": smooth.one_way_root(x, W),
    "max": smooth.maximum(x, 3.0, W), "min": smooth.minimum(x, 3.0, W), "clip": smooth.clip(x, -1e8, 1e8, W),
}
TARGET = {
    "absolute": abs, "sign": lambda v: math.copysign(1, v), "root": lambda v: math.copysign(math.sqrt(abs(v)), v),
    "square": lambda v: v * abs(v), "ramp": lambda v: max(v, 0), "gate": lambda v: math.sqrt(max(v, 0)),
    "max": lambda v: max(v, 3.0), "min": lambda v: min(v, 3.0), "clip": lambda v: min(max(v, -1e8), 1e8),
}
FUNCTIONS = {k: ca.Function(k, [x], [e, ca.jacobian(e, x), ca.jacobian(ca.jacobian(e, x), x)]) for k, e in SMOOTH.items()}
EXTREMES = st.one_of(st.floats(-1e12, 1e12), st.sampled_from([0.0, 1e12, -1e12, 1e-300, -1e-300, 5e-324, 1e100, -1e100]))


@pytest.mark.parametrize("name", SMOOTH)
@given(EXTREMES)
def test_value_slope_and_curvature_are_finite(name: str, v: float) -> None:
    assert all(np.isfinite(float(d)) for d in FUNCTIONS[name](v))


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("v", [-7e8, -3e7, 3e7, 7e8])
def test_far_from_the_corner_it_is_the_sharp_function(name: str, v: float) -> None:
    assert float(FUNCTIONS[name](v)[0]) == pytest.approx(TARGET[name](v), rel=1e-6, abs=0.02)


def test_root_slope_at_zero_and_error_bound() -> None:
    value, slope, _ = FUNCTIONS["root"](0.0)
    assert float(value) == 0
    assert float(slope) == pytest.approx(W**-0.5, rel=1e-14)
    assert abs(float(FUNCTIONS["root"](10 * W)[0]) / math.sqrt(10 * W) - 1) < 0.003


@given(st.floats(-1e9, 1e9))
def test_root_is_odd_and_gate_shuts_exactly(v: float) -> None:
    f = FUNCTIONS["root"]
    assert float(f(v)[0]) == -float(f(-v)[0])
    assert float(FUNCTIONS["gate"](-abs(v))[0]) == 0


@given(st.floats(-100, 100), st.floats(-100, 100))
def test_width_zero_is_exact(a: float, b: float) -> None:
    assert float(smooth.maximum(a, b)) == max(a, b)
    assert float(smooth.minimum(a, b)) == min(a, b)
    assert float(smooth.absolute(a)) == abs(a)
    assert float(smooth.ramp(a)) == max(a, 0)
    assert float(smooth.clip(a, -1.0, 2.0)) == min(max(a, -1.0), 2.0)


def test_sharp_corner_has_the_mean_slope() -> None:
    slope = ca.Function("s", [x], [ca.jacobian(smooth.ramp(x), x)])
    assert [float(slope(v)) for v in (-1.0, 0.0, 1.0)] == [0.0, 0.5, 1.0]


def test_onset_and_rise_begin_and_end_where_they_say() -> None:
    w = 0.5
    for f, knots in ((smooth.onset, {-1.0: 0.0, 0.0: 0.0, 0.25: 0.0625, 0.5: 0.25, 3.0: 2.75}),
                     (smooth.rise, {-1.0: 0.0, 0.0: 0.0, 0.25: 0.5, 0.5: 1.0, 3.0: 1.0})):
        slope = ca.Function("s", [x], [ca.jacobian(f(x, w), x)])
        for at, value in knots.items():
            assert float(f(at, w)) == pytest.approx(value, abs=1e-15)
            assert float(slope(at - 1e-9)) == pytest.approx(float(slope(at + 1e-9)), abs=1e-6)
