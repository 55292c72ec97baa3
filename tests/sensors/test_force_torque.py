"""Sensor lag, lead and matched lag against their transfer functions."""

import casadi as ca
import numpy as np
import pytest

from gerotor.core.evaluate import evaluate
from gerotor.sensors.force_torque import ForceTorqueSensor, Lead, MatchedLag, Noise

T, H = 1e-3, 1e-3


def test_lag_is_first_order():
    out = evaluate(ForceTorqueSensor(lag=T), s=np.zeros(6), w=np.arange(6.0))
    np.testing.assert_allclose(np.ravel(out["d_s"]), np.arange(6.0) / T)


def response(block, hertz, *signals):
    """Complex gain of the block's outputs at a frequency, from its last samples."""
    w = 2 * np.pi * hertz
    t = H * np.arange(4000)
    d, u = ca.SX.sym("d", len(block.states)), [ca.SX.sym(f"u{k}", 1) for k in range(len(signals))]
    new, y = block.step(d, *u)
    y = ca.vertcat(*y) if isinstance(y, tuple) else y
    step = ca.Function("b", [d, *u], [new, y])
    state, out = np.zeros(len(block.states)), []
    for k in range(len(t)):
        state, value = step(state, *[float((g * np.exp(1j * w * t[k])).real) for g in signals])
        out.append(np.asarray(value).ravel())
    tail = slice(2000, None)
    basis = np.column_stack([np.cos(w * t[tail]), -np.sin(w * t[tail])])
    return [complex(*np.linalg.lstsq(basis, column, rcond=None)[0]) for column in np.array(out)[tail].T]


@pytest.mark.parametrize("hertz", [1.0, 10.0, 40.0])
def test_matched_lag_equals_the_sensor(hertz):
    s = 2j * np.pi * hertz
    place, rate, acceleration = response(MatchedLag(1, T, H), hertz, 1.0, s)
    assert place == pytest.approx(1 / (1 + T * s), abs=2e-5)
    assert rate == pytest.approx(s / (1 + T * s), rel=1e-4)
    assert acceleration == pytest.approx(s**2 / (1 + T * s), rel=2e-3)


def test_lead_leaves_a_shorter_lag():
    s = 2j * np.pi * 5.0
    behind = response(Lead(1, T, H, 0.2), 5.0, 1 / (1 + T * s))[0]
    assert behind == pytest.approx(1 / (1 + 0.2 * T * s), abs=2e-3)
    assert response(Lead(1, T, H, 0.2), 0.01, 1.0)[0] == pytest.approx(1, abs=1e-4)


def test_noise_has_its_deviation():
    noise = Noise((0.5, 0.0), seed=3)
    d = ca.SX.sym("d")
    step = ca.Function("n", [d], list(noise.step(d, ca.SX([1.0, 2.0])))).mapaccum(3000)
    values = np.asarray(step(noise.states.array("start"))[1])
    assert np.std(values[0]) == pytest.approx(0.5, rel=0.05)
    assert np.mean(values[0]) == pytest.approx(1.0, abs=0.04)
    np.testing.assert_array_equal(values[1], 2.0)
