import numpy as np
import pytest

from gerotor.control.constant_speed import constant_speed
from gerotor.errors import ParameterError


def test_smooth_start_and_stop() -> None:
    p = constant_speed(7.5, 60.0, rise=2.0, fall=4.0)
    t = np.linspace(0, 60, 60001)
    x, y = np.clip(t / 2, 0, 1), np.clip((t - 56) / 4, 0, 1)
    expected = 7.5 * (3 * x**2 - 2 * x**3) * (1 - 3 * y**2 + 2 * y**3)
    np.testing.assert_allclose(p.velocity(t), expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(np.gradient(p.position(t), t, edge_order=2), expected, rtol=0, atol=1e-4)
    assert p.end == pytest.approx(7.5 * (60 - 1 - 2))
    assert p.corners == (0, 2, 56, 60)


def test_without_ramps_the_speed_jumps() -> None:
    p = constant_speed(-0.5, 4.0)
    assert p.position(np.array([0.0, 1.0, 4.0, 5.0])).tolist() == [0, -0.5, -2, -2]
    assert p.velocity(np.array([-0.1, 0.0, 4.1])).tolist() == [0, -0.5, 0]


def test_bad_numbers_are_refused() -> None:
    for bad in ({"duration": 0.0}, {"duration": np.nan}, {"speed": np.inf}, {"rise": -1.0}, {"rise": 3.0, "fall": 3.0}):
        with pytest.raises(ParameterError, match="constant_speed"):
            constant_speed(**{"speed": 1.0, "duration": 5.0, **bad})
