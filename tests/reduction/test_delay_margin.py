"""Critical delays: a loop solved by hand, the docking sets of the literature, and the frequency-domain condition."""

import numpy as np
import pytest

from gerotor.errors import NoSolutionError, ParameterError
from gerotor.reduction.delay_margin import DelayLoop, channel

# m_s, m_e, m_c, k', c', k, c of the single-axis sets [yu2018, tables 1 and 3]
SETS = {
    "1": (50000, 300, 2000, 1.5e5, 200, 5e4, 100),
    "3-I": (50000, 500, 1000, 2e4, 600, 5e4, 120),
    "3-II": (50000, 200, 500, 1e5, 600, 5e4, 120),
}


def chain(name, kind="transport"):
    """x = (stretch of the arm, stretch of the contact, their rates); the contact force returns through the channel."""
    ms, me, mc, ka, c_a, k, c = SETS[name]
    arm = np.array([ka, 0, c_a, 0.0])
    A, B = np.zeros((4, 4)), np.zeros((4, 1))
    A[:2, 2:] = np.eye(2)
    A[2], A[3] = -(1 / me + 1 / ms) * arm, arm / me
    B[2:, 0] = 1 / me, -(1 / mc + 1 / me)
    return DelayLoop(A, B, np.array([[0, k, 0, c]], dtype=float), channel(kind))


@pytest.mark.parametrize(("name", "low", "high", "ratios"), [
    ("1", 0.7003, 4.1359, (0.0040, 0.0196)), ("3-I", 0.5401, 2.1287, (0.043, 0.048)), ("3-II", 1.2769, 4.4666, (0.015, 0.064)),
])
def test_frequencies_and_damping(name, low, high, ratios):
    ms, me, mc, ka, _, k, _ = SETS[name]
    K = np.array([[(1 / me + 1 / ms) * ka, -k / me], [-ka / me, (1 / mc + 1 / me) * k]])
    undamped = np.sort(np.sqrt(np.linalg.eigvals(K))) / (2 * np.pi)
    np.testing.assert_allclose(undamped, [low, high], atol=5e-5)
    for mode, ratio in zip(chain(name).modes(0.01), ratios, strict=True):
        assert mode.damping_ratio == pytest.approx(ratio, abs=5e-4)


@pytest.mark.parametrize(("name", "low", "high"), [("1", 2.475, 5.742), ("3-I", 154, 8.658), ("3-II", 6.307, 11.729)])
def test_critical_delays_of_the_single_axis_sets(name, low, high):
    found = [m.critical * 1e3 for m in chain(name).modes(0.2)]
    assert found[0] == pytest.approx(low, abs=0.5 if low > 100 else 5e-4)
    assert found[1] == pytest.approx(high, abs=5e-4)


@pytest.mark.parametrize(("name", "constant", "left"), [("1", 2.475, 0.475), ("3-I", 8.746, 6.708), ("3-II", 6.306, 4.305)])
def test_lag_counts_like_a_delay_and_a_sensor_lag_takes_its_share(name, constant, left):
    loop = chain(name, "lag1")
    assert loop.critical(0.2).critical * 1e3 == pytest.approx(constant, abs=6e-4)
    behind = DelayLoop(loop.A, loop.B, loop.C, loop.channel.after(2e-3))
    assert behind.critical(0.2).critical * 1e3 == pytest.approx(left, abs=6e-4)


@pytest.mark.parametrize(("name", "rates"), [("1", (0.084, 0.730)), ("3-I", (None, 0.410)), ("3-II", (0.157, 0.368))])
def test_growth_at_14_milliseconds(name, rates):
    for s, rate in zip(chain(name).growth(14.3e-3), rates, strict=True):
        if rate is None:
            assert s.real < 0
        else:
            assert s.real == pytest.approx(rate, abs=6e-4)


@pytest.mark.parametrize("name", list(SETS))
def test_at_the_critical_delay_the_loop_gain_is_one(name):
    """Independent of the tracking: 1 - L(jw) exp(-jw tau) = 0 at the reported frequency and delay."""
    loop = chain(name)
    for mode in loop.modes(0.2):
        s = 2j * np.pi * mode.critical_frequency
        gain = (loop.C @ np.linalg.solve(s * np.eye(4) - loop.A, loop.B))[0, 0] * np.exp(-s * mode.critical)
        assert abs(1 - gain) < 1e-8


def test_integrator_with_delayed_feedback_by_hand():
    """y' = -a y(t - tau) with an oscillator in series has its margin at pi / 2 / a; here a double integrator with phase lead:
    y'' = -(w^2 y + 2 z w y')(t - tau): |L| = 1 at w_c^2 = w^2 (2 z^2 + sqrt(4 z^4 + 1)), tau = atan(2 z w_c / w) / w_c."""
    w, z = 10.0, 0.3
    loop = DelayLoop(np.array([[0.0, 1], [0, 0]]), np.array([[0.0], [1]]), np.array([[-w * w, -2 * z * w]]), channel("transport"))
    crossing = w * np.sqrt(2 * z**2 + np.sqrt(4 * z**4 + 1))
    mode = loop.critical()
    assert mode.critical == pytest.approx(np.arctan(2 * z * crossing / w) / crossing, rel=1e-9)
    assert mode.critical_frequency == pytest.approx(crossing / 2 / np.pi, rel=1e-9)
    assert mode.margin(0.01) == pytest.approx(mode.critical - 0.01)


@pytest.mark.parametrize("kind", ["transport", "lag1", "lag2", "lag3", "hold"])
def test_channel_slope_is_the_derivative(kind):
    g, s, tau, d = channel(kind), 3 + 20j, 0.02, 1e-6
    assert g.slope(s, tau) == pytest.approx((g.gain(s + d, tau) - g.gain(s - d, tau)) / (2 * d), rel=1e-6)
    assert g.gain(1e-9, tau) == pytest.approx(1, abs=1e-9)


def test_hold_counts_half_its_period():
    assert chain("3-II", "hold").critical(0.1).critical == pytest.approx(2 * 6.307e-3, rel=5e-3)


def test_unknown_channel_and_loop_without_modes():
    with pytest.raises(ParameterError, match="transport"):
        channel("transprot")
    with pytest.raises(NoSolutionError, match="no oscillating mode"):
        DelayLoop(-np.eye(2), np.zeros((2, 1)), np.zeros((1, 2)), channel("transport")).critical()
