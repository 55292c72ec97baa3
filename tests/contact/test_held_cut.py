import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.contact.held_cut import held_cut
from gerotor.contact.teeth import passing_sums, sums
from gerotor.errors import ParameterError

START, SPEED = np.array([2.570, -1.445]), 0.012 / 60


@pytest.mark.parametrize("sense", [1, -1])
@pytest.mark.parametrize("window", [2e-4, 5e-3, 0.0125, 0.1])
@pytest.mark.parametrize("time", [77.5, 200.0, 340.0])
def test_mean_over_a_window_against_sampling(make_cut, many, sense: int, window: float, time: float) -> None:
    """The exact mean against 20,000 samples in the window; one tooth more or less in one sample is 1e-3 N."""
    cut, n = make_cut(sense=sense), 20_000
    c = START + np.array([SPEED * time, 0])
    t = time + (np.arange(n) + 0.5) / n * window
    sampled = many(cut, np.tile(c[:, None], n), t)
    exact = many(make_cut(sense=sense, window=window), c[:, None], np.array([time]))
    for key, size in (("F", 25.0), ("n", 1.0), ("P", 12.0)):
        np.testing.assert_allclose(exact[key].ravel(), sampled[key].mean(axis=1), atol=4 * size / n, err_msg=key)


@given(lower=st.floats(-1.5, 1.4), width=st.floats(0, 0.3), phase=st.floats(-50, 50), advance=st.floats(1e-3, 1.0))
def test_parts_of_a_window_add_up(lower: float, width: float, phase: float, advance: float) -> None:
    """The mean over two halves is the mean over the whole."""
    upper = min(lower + width, 1.5)
    whole = passing_sums(lower, upper, phase, advance, 157)
    first, second = (passing_sums(lower, upper, phase + k * advance / 2, advance / 2, 157) for k in (0, 1))
    for key, value in vars(whole).items():
        assert float(value) == pytest.approx((float(getattr(first, key)) + float(getattr(second, key))) / 2, abs=1e-9)


def test_short_window_is_the_moment() -> None:
    now, mean = sums(-0.2, 0.1, 0.003, 160), passing_sums(-0.2, 0.1, 0.003, 1e-6, 160)
    for key, value in vars(now).items():
        assert float(getattr(mean, key)) == pytest.approx(float(value), abs=1e-5)


def test_whole_pitch_is_the_average_over_the_rim(make_cut, many) -> None:
    pitch = 2 * math.pi / (160 * math.pi)
    c = (START + np.array([SPEED * 100, 0]))[:, None]
    for window in (pitch, 7 * pitch):
        mean, smooth = (many(make_cut(**k), c, np.array([12.34])) for k in ({"window": window}, {"averaged": True}))
        np.testing.assert_allclose(mean["F"], smooth["F"], rtol=1e-9)


def test_actual_feed_needs_a_velocity(make_cut) -> None:
    with pytest.raises(ParameterError, match="velocity"):
        held_cut("saw", make_cut(feed_speed=None), period=0.005, centre=("y", "z"), gate="kerf.gate")
    held = held_cut("saw", make_cut(feed_speed=None), period=0.005, centre=("y", "z"), gate="g", velocity=("a", "b"))
    assert held.reads == ("y", "z", "g", "a", "b")
