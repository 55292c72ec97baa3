"""The identifier against a Kalman filter of another library, and what each extension is for."""

import casadi as ca
import numpy as np
import pytest
from filterpy.kalman import KalmanFilter

from gerotor.errors import ParameterError
from gerotor.estimation.contact_identifier import ContactIdentifier

H = 1e-3


def identify(identifier, l, v, F, *, le=None, ve=None):
    zero = np.zeros(len(l))
    columns = np.column_stack([l, v, zero if le is None else le, zero if ve is None else ve, F])
    d, u = ca.SX.sym("d", len(identifier.states)), ca.SX.sym("u", 5)
    new, theta = identifier.step(d, (u[0], u[1], u[2], u[3]), u[4])
    step = ca.Function("i", [d, u], [new, theta], {"cse": True}).mapaccum(len(l))
    return np.asarray(step(identifier.states.array("start"), columns.T)[1]).T


def motion(seconds, parts=((0.007, 0.7), (0.003, 4.1))):
    t = H * np.arange(round(seconds / H))
    l, v, a = (sum(A * (2 * np.pi * f) ** n * np.cos(2 * np.pi * f * t + n * np.pi / 2) for A, f in parts) for n in range(3))
    return t, l, v, a


def test_equals_filterpy():
    _, l, v, _ = motion(0.5)
    F = 5e4 * l + 100 * v + 0.2 * np.random.default_rng(1).standard_normal(len(l))
    ours = identify(ContactIdentifier(H, 0.2, (1e4, 0.1)), l, v, F)
    peer = KalmanFilter(dim_x=2, dim_z=1)
    peer.x, peer.P, peer.F = np.array([[10.0], [10.0]]), np.diag([1e10, 1e6]), np.eye(2)
    peer.Q, peer.R = np.diag([1e4, 0.1]), np.array([[2 * 0.2**2]])
    for k in range(1, len(l)):
        peer.predict()
        peer.update(F[k] - F[k - 1], H=np.array([[l[k] - l[k - 1], v[k] - v[k - 1]]]))
        np.testing.assert_allclose(ours[k], peer.x.ravel(), rtol=1e-6)


def test_exact_without_noise():
    _, l, v, _ = motion(0.3)
    found = identify(ContactIdentifier(H, 1e-6, (0.0, 0.0)), l, v, 4e4 * l + 400 * v)
    np.testing.assert_allclose(found[-1], [4e4, 400], rtol=1e-6)


def test_gate_keeps_the_estimate_when_nothing_moves():
    _, l, v, _ = motion(1.0)
    still = np.full(20000, l[-1])
    l, v = np.concatenate([l, still]), np.concatenate([v, np.zeros(20000)])
    noise = 0.2 * np.random.default_rng(2).standard_normal(len(l))
    F = 5e4 * l + 100 * v + noise
    rng = np.random.default_rng(3)
    seen = l + 2e-7 * rng.standard_normal(len(l))  # encoder noise is all that is left of the motion
    gated = identify(ContactIdentifier(H, 0.2, (1e4, 0.1), gate=9.0), seen, v, F)
    free = identify(ContactIdentifier(H, 0.2, (1e4, 0.1)), seen, v, F)
    assert abs(gated[-1, 0] / 5e4 - 1) < 0.05
    assert np.abs(free[1500:, 0] / 5e4 - 1).max() > 0.2


def test_alignment_tells_lateness_from_damping():
    """Force 0.2 ms late: without alignment c is off by -k e = -10 of 100; with a 37 Hz dither the estimate puts it right."""
    late = 2e-4
    t, l, v, a = motion(4.0, ((0.007, 0.7), (0.003, 4.1), (1e-4, 37.0)))
    back = t - late
    parts = ((0.007, 0.7), (0.003, 4.1), (1e-4, 37.0))
    l_back = sum(A * np.cos(2 * np.pi * f * back) for A, f in parts)
    v_back = sum(-A * 2 * np.pi * f * np.sin(2 * np.pi * f * back) for A, f in parts)
    F = 5e4 * l_back + 100 * v_back + 0.2 * np.random.default_rng(4).standard_normal(len(t))
    plain = identify(ContactIdentifier(H, 0.2, (300.0, 3e-3), span=5), l, v, F)
    aligned = identify(ContactIdentifier(H, 0.2, (300.0, 3e-3), span=5, aligned=True), l, v, F, le=v, ve=a)
    assert plain[1000:, 1].mean() < 93
    assert aligned[1000:, 1].mean() == pytest.approx(100, rel=0.05)
    assert aligned[-1, 2] == pytest.approx(late, abs=4e-5)


def test_adaptive_drift_follows_and_rests():
    t, l, v, _ = motion(4.0, ((0.005, 2.0), (2e-4, 37.0)))
    rng = np.random.default_rng(5)
    constant = 5e4 * np.ones(len(t))
    varying = 4e4 * (1 + np.abs(1 - 2 * ((t / 4) % 1)))
    error = {}
    for name, k in (("constant", constant), ("varying", varying)):
        F = np.concatenate([[k[0] * l[0]], k[0] * l[0] + np.cumsum(k[1:] * np.diff(l))]) + 100 * v
        F = F + 0.2 * rng.standard_normal(len(t))
        for kind, extra in (("slow", {}), ("adaptive", {"fast_drift": (1e6, 1e2)})):
            found = identify(ContactIdentifier(H, 0.2, (10.0, 1e-4), span=5, gate=9.0, **extra), l, v, F)
            error[name, kind] = np.quantile(np.abs(found[300:, 0] / k[300:] - 1), 0.95)
    assert error["varying", "adaptive"] < 0.5 * error["varying", "slow"]
    assert error["constant", "adaptive"] < 0.02


@pytest.mark.parametrize("wrong", [{"span": 0}, {"noise": 0.0}, {"gate": -1.0}, {"fast_drift": (1.0, 1.0)}, {"memory": 0.0}])
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(ParameterError):
        ContactIdentifier(**({"period": H, "noise": 0.2, "drift": (1e4, 0.1)} | wrong))
