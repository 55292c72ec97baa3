"""The joint's rate is the derivative of its deformation; one wrench acts on both bodies; damping takes energy."""

import casadi as ca
import numpy as np

from gerotor.core.component import Signals
from gerotor.core.evaluate import evaluate
from gerotor.mechanics.roll_pitch_yaw import attitude, euler_rates
from gerotor.mechanics.spring_damper import SpringDamperJoint

GEOMETRY = {"tip": (0.05, 0.1, 0.3), "base": (2.0, 0.0, -1.5), "rest": (2.0, 0.0, -1.5)}


def inputs(seed):
    rng = np.random.default_rng(seed)
    small = {k: 0.1 * rng.standard_normal(3) for k in ("V", "phi", "w_a", "w_b")}
    return {"S": np.array([4.0, 0.0, -3.3]) + 0.02 * rng.standard_normal(3), **small}


def test_rate_is_the_derivative_of_the_deformation():
    """With unit damping and no stiffness the wrench is the rate of e."""
    joint = SpringDamperJoint(**GEOMETRY, stiffness=(0.0,) * 6, damping=(1.0,) * 6)
    S, V, phi, w_a, w_b = (ca.SX.sym(n, 3) for n in ("S", "V", "phi", "w_a", "w_b"))
    out = joint.output(Signals(), Signals(S=S, V=V, phi=phi, w_a=w_a, w_b=w_b))
    moving = ca.vertcat(S, phi)
    turn = euler_rates(phi, w_b - attitude(phi).T @ w_a)
    rate = ca.jtimes(out.e, moving, ca.vertcat(V, turn))
    lever = S + attitude(phi) @ ca.DM(GEOMETRY["tip"])
    wrench = ca.vertcat(out.F_a, out.M_a - ca.cross(lever, out.F_a))
    f = ca.Function("f", [S, V, phi, w_a, w_b], [rate, wrench])
    for seed in range(5):
        values = inputs(seed)
        expected, found = f(*[values[k] for k in ("S", "V", "phi", "w_a", "w_b")])
        np.testing.assert_allclose(np.asarray(found), np.asarray(expected), atol=1e-12)


def test_forces_and_moments_cancel_about_any_point():
    joint = SpringDamperJoint(**GEOMETRY, stiffness=(1e4,) * 6, damping=(400.0,) * 6)
    for seed in range(5):
        values = inputs(seed)
        out = {k: np.ravel(v) for k, v in evaluate(joint, **values).items()}
        R = np.asarray(ca.evalf(attitude(ca.SX(values["phi"]))))
        np.testing.assert_allclose(out["F_a"] + R @ out["F_b"], 0, atol=1e-9)
        total = out["M_a"] + R @ out["M_b"] + np.cross(values["S"], R @ out["F_b"])
        np.testing.assert_allclose(total, 0, atol=1e-8)
