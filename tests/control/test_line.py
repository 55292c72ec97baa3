import casadi as ca
import numpy as np
import pytest

from gerotor.control.line import line
from gerotor.errors import ParameterError


def test_the_published_cut() -> None:
    """[kim2021, section IV-C]: 80 mm along +Y at 12 mm/min takes 400 s; contact from 10 mm, at 50 s."""
    path = line((0.0, 2.570, -1.445), (0.0, 2.650, -1.445), speed=0.012 / 60)
    assert path.duration == pytest.approx(400)
    assert path.position(np.array([0.0, 50.0, 350.0, 400.0])) == pytest.approx(
        np.array([[0, 2.570, -1.445], [0, 2.580, -1.445], [0, 2.640, -1.445], [0, 2.650, -1.445]])
    )


@pytest.mark.parametrize("limits", [{}, {"acceleration": 0.5}, {"acceleration": 0.5, "jerk": 2.0}])
def test_derivatives_and_end(limits: dict[str, float]) -> None:
    start, end = np.array([1.0, -2.0, 0.5]), np.array([-1.0, 1.0, 6.5])
    path = line(start, end, speed=0.8, **limits)
    t = np.setdiff1d(np.linspace(0, path.duration, 997)[1:-1], path.corners)
    d = 1e-5
    t = t[[np.abs(np.array(path.corners) - s).min() > 2 * d for s in t]]
    assert path.velocity(t) == pytest.approx((path.position(t + d) - path.position(t - d)) / (2 * d), abs=1e-8)
    assert path.acceleration(t) == pytest.approx((path.velocity(t + d) - path.velocity(t - d)) / (2 * d), abs=1e-8)
    assert path.position(0.0) == pytest.approx(start)
    assert path.position(path.duration) == pytest.approx(end)
    assert path.position(path.duration + 9) == pytest.approx(end)
    assert np.linalg.norm(path.velocity(t), axis=-1).max() <= 0.8 + 1e-12
    assert np.cross(path.velocity(t), end - start) == pytest.approx(0, abs=1e-12)


def test_symbolic_time() -> None:
    path = line((0.0, 1.0), (3.0, 5.0), speed=2.0, acceleration=1.0)
    t = ca.SX.sym("t")
    f = ca.Function("f", [t], [path.position(t)])
    assert np.asarray(f(1.7)).ravel() == pytest.approx(path.position(1.7))


def test_zero_length_stays() -> None:
    path = line((1.0, 2.0), (1.0, 2.0), speed=1.0, acceleration=1.0)
    assert path.duration == 0
    assert path.position(3.0).tolist() == [1, 2]
    assert path.velocity(3.0).tolist() == [0, 0]


@pytest.mark.parametrize(
    "bad",
    [{"speed": 0.0}, {"speed": -1.0}, {"speed": np.nan}, {"end": (1.0,)}, {"start": (np.inf, 0.0)}, {"jerk": 1.0},
     {"acceleration": 0.0}, {"start": (), "end": ()}],
)
def test_bad_numbers_are_refused(bad: dict[str, object]) -> None:
    with pytest.raises(ParameterError):
        line(**{"start": (0.0, 0.0), "end": (1.0, 1.0), "speed": 1.0, **bad})  # type: ignore[arg-type]
