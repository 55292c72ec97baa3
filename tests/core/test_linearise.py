import casadi as ca
import numpy as np
import pytest

from gerotor.assembly.cut import cut
from gerotor.assembly.system import System
from gerotor.core.component import Component, Signals, signals
from gerotor.core.linearise import Linearisation, MotionLinearisation
from gerotor.errors import InputError, WiringError
from tests.reduction import rx90


class Pendulum(Component):
    """(2 + cos q) q'' = tau - 9 sin q - 0.3 v + q v, an angle-dependent mass."""

    states = signals(q="rad", v="rad/s")
    inputs = signals(tau="N*m")
    outputs = signals(y="m")
    motion = (("q", "v"),)

    def check(self, path: str) -> None:
        pass

    def output(self, x: Signals, u: Signals) -> Signals:
        return Signals(y=ca.sin(x.q) + 2 * u.tau)

    def derivative(self, x: Signals, u: Signals) -> Signals:
        return Signals(v=u.tau - 9 * ca.sin(x.q) - 0.3 * x.v + x.q * x.v)

    def mass(self, x: Signals, u: Signals):
        return 2 + ca.cos(x.q)


def pendulum():
    system = System("p")
    system.add("a", Pendulum()).connect(tau=system.input("tau", "N*m"))
    return system.ode()


def test_pendulum_by_hand() -> None:
    q, v, tau = 0.4, 0.7, 1.5
    m, force = 2 + np.cos(q), tau - 9 * np.sin(q) - 0.3 * v + q * v
    linear = Linearisation(pendulum()).at([q, v], [tau])
    slope = (-9 * np.cos(q) + v + force / m * np.sin(q)) / m
    assert np.allclose(linear.A, np.array([[0, 1], [slope, (q - 0.3) / m]]))
    assert np.allclose(linear.B, np.array([[0], [1 / m]]))
    assert np.allclose(linear.C, np.array([[np.cos(q), 0]]))
    assert np.allclose(linear.D, np.array([[2.0]]))
    assert linear.pick(outputs=["a.v"]).C.tolist() == [[0, 1]]


def test_many_points_equal_single_ones_and_wrong_sizes_are_told() -> None:
    linear = Linearisation(pendulum())
    points = np.array([[0.1, 0.2], [0.3, -0.4], [1.0, 2.0]])
    A, B, _, _ = linear.along(points, [[1.0], [2.0], [3.0]])
    for k in range(3):
        one = linear.at(points[k], [k + 1.0])
        assert A[k] == pytest.approx(one.A)
        assert B[k] == pytest.approx(one.B)
    with pytest.raises(InputError, match="2 finite values are needed"):
        linear.at([1.0])
    with pytest.raises(WiringError, match="unknown moving part"):
        MotionLinearisation(pendulum(), "b")


def test_arm_against_directional_differences() -> None:
    """r(q, v, a) of the arm in three random directions, by differences of two steps."""
    linear = MotionLinearisation(cut(rx90.system(), ["arm", "spring"]).ode())
    rng = np.random.default_rng(3)
    q, v, a = rng.normal(size=(3, 6)) * [[0.6], [1.0], [3.0]]
    _, M, C, K, _, _, Yq, _ = (m[0] for m in linear.along(q, v, a))

    def r(dq, dv, da):
        return linear.along(q + dq, v + dv, a + da)[0][0, :, 0]

    def slope(function, e, h=1e-3):
        coarse, fine = ((function(s * e) - function(-s * e)) / (2 * s) for s in (h, h / 2))
        return (4 * fine - coarse) / 3

    zero = np.zeros(6)
    for _ in range(3):
        e = rng.normal(size=6)
        moves = (lambda d: r(d, zero, zero), lambda d: r(zero, d, zero), lambda d: r(zero, zero, d))
        for matrix, function in zip((K, C, M), moves, strict=True):
            found = slope(function, e)
            assert np.linalg.norm(matrix @ e - found) < 1e-8 * np.linalg.norm(matrix @ e)
        tip = slope(lambda d: linear.along(q + d, v, a)[5][0, :3, 0], e)
        assert np.linalg.norm(Yq[:3] @ e - tip) < 1e-8


def test_check_values_of_the_arm() -> None:
    """Start pose and a quarter of the path, worked out independently for the same assumed parameters."""
    linear = MotionLinearisation(cut(rx90.system(), ["arm", "spring"]).ode())
    motion = rx90.motion()
    q, v, a = motion.at([0.0, motion.duration / 4])
    rest = linear.along(q[0], np.zeros(6), np.zeros(6))
    assert np.diag(rest[1][0]) == pytest.approx([15.6564, 19.0487, 4.0018, 0.3762, 0.4375, 0.0721], abs=6e-5)
    assert rest[0][0, :, 0] == pytest.approx([0, -93.3836, -61.2624, -0.5677, 0.4911, 0], abs=6e-5)
    r, _, C, K, *_ = (m[0] for m in linear.along(q[1], v[1], a[1]))
    assert r[:, 0] == pytest.approx([0.4373, -71.1204, -54.1720, -0.3422, 0.7006, 0.0182], abs=6e-5)
    assert [K[1, 1], K[1, 2], K[2, 1], K[2, 2]] == pytest.approx([4.732, 42.037, 42.156, 41.401], abs=6e-4)
    assert [C[0, 0], C[0, 1], C[1, 0]] == pytest.approx([-3.166, 2.403, -2.424], abs=6e-4)
