import math

import casadi as ca
import numpy as np
import pytest

from gerotor.control.circle import circle
from gerotor.errors import ParameterError

PUBLISHED = {  # radius and rate of [kim2021, section IV-B]; centre and plane assumed there
    "centre": (0.0, 3.0, -0.9), "radius": 0.3, "first": (1.0, 0.0, 0.0), "second": (0.0, 0.0, 1.0),
    "speed": math.radians(7.5), "duration": 60.0, "rise": 2.0,
}


def test_published_circle() -> None:
    path = circle(**PUBLISHED)
    assert path.position(0.0) == pytest.approx([0.3, 3.0, -0.9])
    end = math.radians(442.5)  # 60 s less half the 2 s start, at 7.5 deg/s
    assert path.position(60.0) == pytest.approx([0.3 * math.cos(end), 3.0, -0.9 + 0.3 * math.sin(end)])
    assert path.velocity(0.0) == pytest.approx(0)
    assert np.linalg.norm(path.velocity(30.0)) == pytest.approx(0.3 * math.radians(7.5))
    assert path.position(3.0) == pytest.approx(path.position(51.0))  # one turn takes 48 s


def test_derivatives_and_radius() -> None:
    a, b = np.array([1, 2, 2]) / 3, np.array([2, 1, -2]) / 3
    path = circle((1, 2, 3), 0.5, first=a, second=b, speed=-2.0, duration=5.0, rise=1.0, fall=1.0, phase=0.4)
    t, d = np.linspace(0.013, 4.983, 331), 1e-5  # no sample at a corner
    assert path.velocity(t) == pytest.approx((path.position(t + d) - path.position(t - d)) / (2 * d), abs=1e-8)
    assert path.acceleration(t) == pytest.approx((path.velocity(t + d) - path.velocity(t - d)) / (2 * d), abs=1e-7)
    arm = path.position(t) - [1, 2, 3]
    assert np.linalg.norm(arm, axis=-1) == pytest.approx(0.5)
    assert arm @ np.cross(a, b) == pytest.approx(0, abs=1e-12)


def test_symbolic_time() -> None:
    path, t = circle(**PUBLISHED), ca.SX.sym("t")
    f = ca.Function("f", [t], [path.position(t), path.velocity(t), path.acceleration(t)])
    for got, want in zip(f(1.3), (path.position(1.3), path.velocity(1.3), path.acceleration(1.3)), strict=True):
        assert np.asarray(got).ravel() == pytest.approx(want, abs=1e-15)


@pytest.mark.parametrize(
    "bad",
    [{"radius": 0.0}, {"radius": -1.0}, {"speed": 0.0}, {"speed": np.nan}, {"duration": -1.0}, {"first": (2.0, 0.0, 0.0)},
     {"second": (1.0, 0.0, 0.0)}, {"second": (0.0, 1.0)}, {"phase": np.inf}, {"rise": 61.0}],
)
def test_bad_numbers_are_refused(bad: dict[str, object]) -> None:
    with pytest.raises(ParameterError):
        circle(**{**PUBLISHED, **bad})  # type: ignore[arg-type]
