import math

import casadi as ca
import numpy as np
import pytest

from gerotor.contact.teeth import leading, mean_sums, sums


def _function(teeth: int) -> ca.Function:
    lower, upper, phase = (ca.SX.sym(k) for k in ("lower", "upper", "phase"))
    s = sums(*leading(lower, upper), phase, teeth)
    return ca.Function("sums", [lower, upper, phase], [ca.vertcat(s.count, s.cos, s.cos2, s.sin2)])


@pytest.mark.parametrize("teeth", [3, 4, 17, 160])
def test_equal_to_the_loop(teeth: int) -> None:
    """Random windows of up to pi anywhere on several turns, at random phases."""
    rng = np.random.default_rng(teeth)
    n = 3000
    lower = rng.uniform(-20, 20, n)
    upper = lower + math.pi * rng.uniform(0, 1, n) ** 2
    phase = rng.uniform(-500, 500, n)
    got = _function(teeth).map(n)(lower[None], upper[None], phase[None]).full()
    angle = phase + 2 * math.pi * np.arange(teeth)[:, None] / teeth
    inside = (np.mod(angle - lower, 2 * math.pi) < upper - lower) & (np.cos(angle) > 0)
    want = [np.sum(inside * f, axis=0) for f in (1.0, np.cos(angle), np.cos(2 * angle), np.sin(2 * angle))]
    np.testing.assert_allclose(got, np.array(want), rtol=0, atol=1e-9)


def test_mean_is_the_average_over_a_pitch() -> None:
    window = (-0.3, 0.9)
    phases = (np.arange(20000) + 0.5) / 20000 * 2 * math.pi / 160
    lower, upper = (np.full((1, 20000), w) for w in window)
    mean = _function(160).map(20000)(lower, upper, phases[None]).full().mean(axis=1)
    exact = mean_sums(*window, 160)
    assert [exact.count, exact.cos, exact.cos2, exact.sin2] == pytest.approx(mean, abs=1e-3)


def test_a_window_behind_is_empty() -> None:
    f = _function(160)
    for lower, upper in ((math.pi / 2, 3 * math.pi / 2), (2.0, 4.0), (-4.0, -2.0), (0.3, 0.3)):
        assert float(f(lower + 1e-9, upper - 1e-9 if upper > lower else upper + 1e-9, 0.1)[0]) == 0
