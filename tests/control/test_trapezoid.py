import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.control.trapezoid import trapezoid
from gerotor.errors import ParameterError

LIMIT = st.floats(1e-3, 1e3)


def test_by_hand() -> None:
    long, short = trapezoid(10.0, 2.0, 1.0), trapezoid(-1.0, 2.0, 1.0)
    assert long.corners == (0, 2, 5, 7)
    assert long.position(np.array([2.0, 5.0, 7.0])).tolist() == [2, 8, 10]
    assert short.corners == (0, 1, 2)
    assert short.velocity(np.array([1.0])).tolist() == [-1]


@given(st.floats(-1e4, 1e4), LIMIT, LIMIT)
def test_reaches_the_end_within_the_limits(distance: float, speed: float, acceleration: float) -> None:
    p = trapezoid(distance, speed, acceleration)
    t = np.union1d(np.linspace(0, p.duration, 401), p.corners)
    v, a = p.velocity(t), p.acceleration(t)
    assert abs(v).max() <= speed * (1 + 1e-9)
    assert abs(a).max() <= acceleration * (1 + 1e-9)
    assert p.end == pytest.approx(distance, rel=1e-9, abs=1e-300)
    assert float(p.velocity(p.duration)) == pytest.approx(0, abs=1e-9 * speed + 1e-15 * p.duration * acceleration)
    assert np.all(np.sign(distance) * v >= -1e-9 * speed - 1e-15 * p.duration * acceleration)
    assert np.sum((v[1:] + v[:-1]) / 2 * np.diff(t)) == pytest.approx(distance, rel=1e-9, abs=1e-300)


def test_zero_length_and_bad_numbers() -> None:
    still = trapezoid(0.0, 1.0, 1.0)
    assert still.duration == 0
    assert float(still.position(1.0)) == 0
    for bad in ({"speed": 0.0}, {"speed": -1.0}, {"acceleration": 0.0}, {"distance": np.nan}, {"acceleration": np.inf}):
        with pytest.raises(ParameterError, match="trapezoid"):
            trapezoid(**{"distance": 1.0, "speed": 1.0, "acceleration": 1.0, **bad})
