"""Velocity is the derivative of the place; the wrench on both bodies cancels about any point."""

import casadi as ca
import numpy as np

from gerotor.core.component import Signals
from gerotor.core.evaluate import evaluate
from gerotor.mechanics.point_contact import PointContact
from gerotor.mechanics.roll_pitch_yaw import attitude, euler_rates

CONTACT = PointContact(point=(0.1, -0.2, 1.5), anchor=(0.0, 0.0, -0.35))


def test_velocity_is_the_derivative_of_the_place():
    S, V, phi, w_a, w_b = (ca.SX.sym(n, 3) for n in ("S", "V", "phi", "w_a", "w_b"))
    out = CONTACT.output(Signals(), Signals(S=S, V=V, phi=phi, w_a=w_a, w_b=w_b, F=ca.SX.zeros(3), M=ca.SX.zeros(3)))
    turn = euler_rates(phi, w_b - attitude(phi).T @ w_a)
    f = ca.Function("f", [S, V, phi, w_a, w_b], [ca.jtimes(out.l, ca.vertcat(S, phi), ca.vertcat(V, turn)), out.v])
    a, b = f(*np.random.default_rng(1).uniform(-0.5, 0.5, (5, 3)))
    np.testing.assert_allclose(np.asarray(a), np.asarray(b), atol=1e-13)


def test_action_and_reaction():
    rng = np.random.default_rng(2)
    S, phi, F = rng.standard_normal(3), rng.uniform(-1, 1, 3), rng.standard_normal(3)
    R = np.asarray(ca.evalf(attitude(ca.SX(phi))))
    p = S + R @ CONTACT.point
    out = {k: np.ravel(v) for k, v in evaluate(CONTACT, S=S, phi=phi, F=F, M=np.cross(p, F)).items()}
    np.testing.assert_allclose(F + R @ out["F_b"], 0, atol=1e-14)
    np.testing.assert_allclose(np.cross(p, F) + R @ out["M_b"] + np.cross(S, R @ out["F_b"]), 0, atol=1e-13)
    np.testing.assert_allclose(out["M_b"], np.cross(CONTACT.point, out["F_b"]), atol=1e-13)
