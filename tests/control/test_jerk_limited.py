import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.control.jerk_limited import jerk_limited
from gerotor.control.trapezoid import trapezoid
from gerotor.errors import ParameterError

LIMIT = st.floats(1e-2, 1e2)


def test_seven_segments_by_hand() -> None:
    """V = 3, A = 2, J = 4: bends 0.5 s, steady 1 s, rising 2 s over 3; D = 12 leaves 2 s of cruise."""
    p = jerk_limited(12.0, 3.0, 2.0, 4.0)
    assert p.corners == pytest.approx((0, 0.5, 1.5, 2, 4, 4.5, 5.5, 6))
    assert p.position(np.array([2.0, 4.0, 6.0])) == pytest.approx([3, 9, 12])
    assert p.acceleration(np.array([1.0, 3.0, 5.0])) == pytest.approx([2, 0, -2])


@pytest.mark.parametrize(
    ("distance", "segments", "speed", "acceleration"),
    [(12.0, 7, 3.0, 2.0), (5.0, 6, None, 2.0), (0.25, 4, None, None)],  # full; no cruise; neither limit reached
)
def test_short_distances_drop_segments(distance: float, segments: int, speed: float | None, acceleration: float | None) -> None:
    p = jerk_limited(distance, 3.0, 2.0, 4.0)
    assert len(p.coefficients) == segments
    t = np.linspace(0, p.duration, 2001)
    assert (p.velocity(t).max() == pytest.approx(3.0)) == (speed is not None)
    assert (p.acceleration(t).max() == pytest.approx(2.0, rel=1e-3)) == (acceleration is not None)
    assert p.end == pytest.approx(distance)


@given(st.floats(-1e3, 1e3), LIMIT, LIMIT, LIMIT)
def test_reaches_the_end_within_the_limits(distance: float, speed: float, acceleration: float, jerk: float) -> None:
    p = jerk_limited(distance, speed, acceleration, jerk)
    t = np.linspace(0, p.duration, 801)
    s, v, a = p.position(t), p.velocity(t), p.acceleration(t)
    assert abs(v).max() <= speed * (1 + 1e-9)
    assert abs(a).max() <= acceleration * (1 + 1e-9)
    assert abs(p.jerk(t)).max() <= jerk * (1 + 1e-9)
    assert p.end == pytest.approx(distance, rel=1e-9, abs=1e-300)
    assert np.all(np.sign(distance) * np.diff(s) >= -1e-9 * abs(distance))
    rise = np.diff(t)
    assert np.abs(np.diff(v) - rise * (a[1:] + a[:-1]) / 2).max() <= jerk * p.duration**2 / 800**2 + 1e-12
    rounding = 1e-15 * p.duration  # of the corner times
    assert float(p.velocity(p.duration)) == pytest.approx(0, abs=1e-9 * speed + acceleration * rounding)
    assert float(p.acceleration(p.duration)) == pytest.approx(0, abs=1e-9 * acceleration + jerk * rounding)
    assert p.duration >= trapezoid(distance, speed, acceleration).duration * (1 - 1e-12)


@given(st.floats(1e-3, 1e3), LIMIT, LIMIT)
def test_a_large_jerk_tends_to_the_trapezoid(distance: float, speed: float, acceleration: float) -> None:
    fast = jerk_limited(distance, speed, acceleration, 1e9)
    assert fast.duration == pytest.approx(trapezoid(distance, speed, acceleration).duration, rel=1e-3)


def test_zero_length_and_bad_numbers() -> None:
    still = jerk_limited(0.0, 1.0, 1.0, 1.0)
    assert still.duration == 0
    assert float(still.position(1.0)) == 0
    for bad in ({"speed": 0.0}, {"acceleration": -1.0}, {"jerk": 0.0}, {"distance": np.inf}, {"jerk": np.nan}):
        with pytest.raises(ParameterError, match="jerk_limited"):
            jerk_limited(**{"distance": 1.0, "speed": 1.0, "acceleration": 1.0, "jerk": 1.0, **bad})
