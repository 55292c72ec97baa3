import casadi as ca
import numpy as np
import pytest

from gerotor.control.polynomial import quintic
from gerotor.errors import ParameterError

TIMES = (0.0, 1.0, 2.5, 4.0)
POINTS = np.array([[0.0, 1.0], [0.5, 0.7], [-0.3, 0.2], [1.0, 1.0]])


@pytest.mark.parametrize("stop", [False, True])
def test_passes_the_way_points_and_rests_at_the_ends(stop: bool) -> None:
    path = quintic(TIMES, POINTS, stop=stop)
    assert path.position(np.array(TIMES)) == pytest.approx(POINTS, abs=1e-12)
    at_rest = np.array(TIMES if stop else (TIMES[0], TIMES[-1]))
    assert path.velocity(at_rest) == pytest.approx(0, abs=1e-10)
    assert path.acceleration(at_rest) == pytest.approx(0, abs=1e-9)
    assert path.position(9.0) == pytest.approx(POINTS[-1])


@pytest.mark.parametrize("stop", [False, True])
def test_derivatives(stop: bool) -> None:
    path, d = quintic(TIMES, POINTS, stop=stop), 1e-5
    t = np.linspace(0.003, 3.997, 301)
    assert path.velocity(t) == pytest.approx((path.position(t + d) - path.position(t - d)) / (2 * d), abs=1e-7)
    assert path.acceleration(t) == pytest.approx((path.velocity(t + d) - path.velocity(t - d)) / (2 * d), abs=1e-4)


def test_spline_has_four_continuous_derivatives() -> None:
    for profile in quintic(TIMES, POINTS).profiles:
        for left, right, span in zip(profile.coefficients, profile.coefficients[1:], np.diff(TIMES), strict=False):
            poly = np.polynomial.Polynomial(left)
            for m in range(5):
                assert poly.deriv(m)(span) if m else poly(span) == pytest.approx(
                    float(np.polynomial.Polynomial(right).deriv(m)(0)) if m else right[0], abs=1e-8
                )


def test_two_points_are_the_minimum_jerk_motion() -> None:
    path = quintic((0.0, 2.0), [[1.0], [3.0]])
    x = np.linspace(0, 1, 21)
    assert path.position(2 * x)[:, 0] == pytest.approx(1 + 2 * (10 * x**3 - 15 * x**4 + 6 * x**5))


def test_symbolic_time_and_equal_points() -> None:
    path, t = quintic((0.0, 1.0, 2.0), [[1.0], [1.0], [1.0]]), ca.SX.sym("t")
    assert float(ca.Function("f", [t], [path.position(t)])(1.4)) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("times", "points"),
    [((0.0,), [[1.0]]), ((0.0, 0.0), [[1.0], [2.0]]), ((0.0, -1.0), [[1.0], [2.0]]), ((1.0, 2.0), [[1.0], [2.0]]),
     ((0.0, 1.0), [[1.0], [np.nan]]), ((0.0, np.inf), [[1.0], [2.0]]), ((0.0, 1.0), [1.0, 2.0])],
)
def test_bad_way_points_are_refused(times: tuple[float, ...], points: object) -> None:
    with pytest.raises(ParameterError, match="quintic"):
        quintic(times, points)  # type: ignore[arg-type]
