import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import make_interp_spline

from gerotor.errors import ParameterError
from gerotor.maths.bspline import BSpline, piecewise_linear

SITES = {3: [0, 5, 10], 4: [0, 3.3, 6.6, 10], 5: [0, 2.5, 5, 7.5, 10], 6: [0, 2, 4, 6, 8, 10]}
CURVES = {3: [0, 30, 95], 4: [0, 12, 50, 95], 5: [0, 8, 35, 80, 95], 6: [0, 6, 16, 52, 85, 95]}
AXIS = np.linspace(0, 10, 201)
u = ca.SX.sym("u")


def values(curve: BSpline, at: np.ndarray) -> np.ndarray:
    return np.asarray(ca.Function("c", [u], [curve(u)])(at[None, :])).ravel()


@pytest.mark.parametrize("n", SITES)
def test_order_three_equals_scipy_on_the_same_knots(n: int) -> None:
    x = np.array(SITES[n], float)
    knots = np.r_[[x[0]] * 3, (x[1:-2] + x[2:-1]) / 2, [x[-1]] * 3]
    expected = make_interp_spline(x, CURVES[n], k=2, t=knots)(AXIS)
    np.testing.assert_allclose(values(BSpline(x, CURVES[n]), AXIS), expected, atol=1e-11)


@pytest.mark.parametrize("n", SITES)
def test_order_two_is_piecewise_linear(n: int) -> None:
    curve = piecewise_linear(SITES[n], CURVES[n])
    np.testing.assert_allclose(values(curve, AXIS), np.interp(AXIS, SITES[n], CURVES[n]), atol=1e-12)


def test_two_points_are_a_line() -> None:
    assert float(piecewise_linear([1.0, 3.0], [2.0, 6.0])(2.5)) == pytest.approx(5.0)


@pytest.mark.parametrize("order", [2, 3])
@pytest.mark.parametrize("n", SITES)
def test_passes_through_the_points_and_sums_to_one(n: int, order: int) -> None:
    np.testing.assert_allclose(values(BSpline(SITES[n], CURVES[n], order), np.array(SITES[n], float)), CURVES[n], atol=1e-11)
    np.testing.assert_allclose(values(BSpline(SITES[n], [1.0] * n, order), AXIS), 1, atol=1e-13)


@pytest.mark.parametrize("order", [2, 3])
def test_end_values_outside(order: int) -> None:
    curve = BSpline(SITES[6], CURVES[6], order)
    np.testing.assert_allclose(values(curve, np.array([-1e12, -1.0, 11.0, 1e12])), [0, 0, 95, 95], atol=1e-11)


def test_linear_in_symbolic_ordinates() -> None:
    y = ca.SX.sym("y", 4)
    inner = [0.0, *ca.vertsplit(y), 95.0]
    curve = BSpline(SITES[6], inner)(u)
    gradient = ca.Function("g", [u, y], [ca.jacobian(curve, y)])
    np.testing.assert_array_equal(gradient(3.1, [1, 2, 3, 4]), gradient(3.1, [9, 9, 9, 9]))
    value = ca.Function("v", [u, y], [curve])
    assert float(value(3.1, CURVES[6][1:-1])) == pytest.approx(values(BSpline(SITES[6], CURVES[6]), np.array([3.1]))[0])


@given(st.lists(st.floats(0.1, 5), min_size=2, max_size=7), st.integers(0, 2**31))
def test_any_increasing_sites(steps: list[float], seed: int) -> None:
    x = np.cumsum([0.3, *steps])
    y = np.random.default_rng(seed).normal(size=len(x))
    knots = np.r_[[x[0]] * 3, (x[1:-2] + x[2:-1]) / 2, [x[-1]] * 3]
    at = np.linspace(x[0], x[-1], 31)
    expected = make_interp_spline(x, y, k=2, t=knots)(at)
    np.testing.assert_allclose(values(BSpline(x, y), at), expected, atol=1e-9 * (1 + np.abs(expected).max()))


@pytest.mark.parametrize(("sites", "ordinates", "order", "words"), [
    ([0, 1], [0, 1], 3, "needs at least 3"), ([0, 1, 1], [0, 1, 2], 2, "increase"), ([0, 1, 2], [0, 1], 2, "as many of each"),
    ([0, 1, 2], [0, 1, 2], 4, "must be 2"), ([0, 1, float("nan")], [0, 1, 2], 2, "finite"),
])
def test_refused(sites: list[float], ordinates: list[float], order: int, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        BSpline(sites, ordinates, order)
