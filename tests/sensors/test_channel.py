"""Channel stages against their closed forms."""

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gerotor.errors import ParameterError
from gerotor.sensors.channel import Channel


def pass_through(channel, rows):
    d, u = ca.SX.sym("d", len(channel.states)), ca.SX.sym("u", channel.size)
    step = ca.Function("c", [d, u], list(channel.step(d, u)))
    state, out = channel.states.array("start"), []
    for row in rows:
        state, y = step(state, row)
        out.append(np.asarray(y).ravel())
    return np.array(out)


def test_plain_channel_changes_nothing():
    rows = np.random.default_rng(1).standard_normal((20, 2))
    np.testing.assert_array_equal(pass_through(Channel(2, 1e-3), rows), rows)


@settings(max_examples=20, deadline=None)
@given(st.floats(0, 12.7))
def test_transport_delay_shifts_a_ramp(samples):
    rows = np.arange(40.0)[:, None]
    out = pass_through(Channel(1, 1e-3, delay=samples * 1e-3), rows)
    np.testing.assert_allclose(out[20:, 0], rows[20:, 0] - samples, atol=1e-9)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_lag_step_response(order):
    """(1 + s T / n)^-n on a step: Erlang distribution; the sampled first stage is exact, later ones see held inputs."""
    from scipy.stats import erlang

    T, h = 20e-3, 1e-4
    out = pass_through(Channel(1, h, lag=T, order=order), np.ones((1500, 1)))[:, 0]
    t = h * np.arange(1, 1501)
    exact = erlang.cdf(t, order, scale=T / order)
    assert np.abs(out - exact).max() < (1e-12 if order == 1 else 2.5 * h / T * order)


def test_jitter_stays_within_its_bounds_and_loss_keeps_the_last():
    rows = np.arange(2000.0)[:, None]
    late = rows[50:, 0] - pass_through(Channel(1, 1e-3, delay=3e-3, jitter=4e-3), rows)[50:, 0]
    assert 3 - 1e-9 <= late.min() < 3.1
    assert 6.9 < late.max() <= 7 + 1e-9
    kept = pass_through(Channel(1, 1e-3, loss=0.25), rows)[:, 0]
    share = np.mean(np.diff(kept) == 0)
    assert 0.2 < share < 0.3


def test_full_channel_starts_at_its_value():
    channel = Channel(2, 1e-3, lag=5e-3, order=2, delay=4e-3)
    d, u = ca.SX.sym("d", len(channel.states)), ca.SX.sym("u", 2)
    step = ca.Function("c", [d, u], list(channel.step(d, u)))
    np.testing.assert_allclose(np.asarray(step(channel.start([3.0, -2.0]), [3.0, -2.0])[1]).ravel(), [3, -2])


@pytest.mark.parametrize("wrong", [
    {"period": 0.0}, {"delay": -1.0}, {"order": 4}, {"loss": 1.0}, {"delay": 100.0}, {"delay": ca.SX.sym("x")},
])
def test_impossible_channels_are_refused(wrong):
    with pytest.raises(ParameterError):
        Channel(1, **({"period": 1e-3} | wrong))
