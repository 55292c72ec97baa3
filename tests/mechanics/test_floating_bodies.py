"""Relative equations against an independent model in the inertial frame, and conservation of momentum."""

import casadi as ca
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from gerotor.assembly.system import System
from gerotor.contact.rope import Rope
from gerotor.errors import ParameterError
from gerotor.mechanics.floating_bodies import FloatingBodies
from gerotor.mechanics.point_contact import PointContact
from gerotor.mechanics.spring_damper import SpringDamperJoint

MASS = (50000.0, 300.0, 2000.0)
INERTIA = ((6e4, 5e4, 7e4), (300.0, 250.0, 350.0), (2000.0, 1500.0, 2500.0))
TIP, BASE, REST = (0.05, 0.1, 0.3), (2.0, 0.0, -1.5), (2.0, 0.0, -1.5)
POINT, ANCHOR = (0.1, 0.0, 1.5), (0.0, 0.0, -0.35)
K_ARM, C_ARM = np.array([1e4] * 3 + [9e3, 1e4, 1.1e4]), np.array([400.0] * 3 + [350.0, 400.0, 450.0])
K, C = np.array([4e4, 3.6e4, 3.2e4]), np.array([400.0, 240.0, 320.0])


def docking():
    system = System("docking")
    bodies = system.add("bodies", FloatingBodies(names=("s", "e", "c"), masses=MASS, inertias=INERTIA))
    arm = system.add("arm", SpringDamperJoint(tip=TIP, base=BASE, rest=REST, stiffness=tuple(K_ARM), damping=tuple(C_ARM)))
    arm.connect(S=bodies.S_e, V=bodies.V_e, phi=bodies.phi_e, w_a=bodies.w_s, w_b=bodies.w_e)
    contact = system.add("contact", PointContact(point=POINT, anchor=ANCHOR))
    rope = system.add("rope", Rope(stiffness=tuple(K), damping=tuple(C)))
    moment = ca.cross(contact.p, rope.F)
    contact.connect(S=bodies.S_c, V=bodies.V_c, phi=bodies.phi_c, w_a=bodies.w_e, w_b=bodies.w_c, F=rope.F, M=moment)
    rope.connect(l=contact.l, v=contact.v)
    bodies.connect(
        F_s=arm.F_a, M_s=arm.M_a, F_e=arm.F_b + rope.F, M_e=arm.M_b + moment, F_c=contact.F_b, M_c=contact.M_b
    )
    return system.ode()


def inertial_rates(y):
    """Newton and Euler per body in inertial axes; y holds r, v, R, w of each body."""
    r, v, R, w = (y[a:b].reshape(3, -1) for a, b in ((0, 9), (9, 18), (18, 45), (45, 54)))
    R = R.reshape(3, 3, 3)
    F, M = np.zeros((3, 3)), np.zeros((3, 3))  # inertial axes, moments about centroids

    def pair(a, b, at, force, couple):
        F[a] += force
        F[b] -= force
        M[a] += np.cross(at - r[a], force) + couple
        M[b] -= np.cross(at - r[b], force) + couple

    def speed(k, at):
        return v[k] + np.cross(R[k] @ w[k], at - r[k])

    A = r[1] + R[1] @ TIP
    stretch = R[0].T @ (A - r[0]) - np.array(BASE) - REST
    rate = R[0].T @ (speed(1, A) - speed(0, A))
    turn = R[0].T @ R[1]
    yaw, pitch, roll = Rotation.from_matrix(turn).as_euler("ZYX")
    E = np.array([
        [1, 0, -np.sin(pitch)], [0, np.cos(roll), np.sin(roll) * np.cos(pitch)], [0, -np.sin(roll), np.cos(roll) * np.cos(pitch)]
    ])
    angles, angle_rates = np.array([roll, pitch, yaw]), np.linalg.solve(E, w[1] - turn.T @ w[0])
    force, couple = K_ARM[:3] * stretch + C_ARM[:3] * rate, K_ARM[3:] * angles + C_ARM[3:] * angle_rates
    pair(0, 1, A, R[0] @ force, R[0] @ couple)
    O = r[2] + R[2] @ POINT
    deformation = R[1].T @ (O - r[1]) - ANCHOR
    pair(1, 2, O, R[1] @ (K * deformation + C * (R[1].T @ (speed(2, O) - speed(1, O)))), np.zeros(3))
    out = [v, F / np.array(MASS)[:, None]]
    out.append(np.array([R[k] @ np.cross(np.eye(3), w[k]) for k in range(3)]))
    J = np.array(INERTIA)
    out.append(np.array([(R[k].T @ M[k] - np.cross(w[k], J[k] * w[k])) / J[k] for k in range(3)]))
    return np.concatenate([a.ravel() for a in out])


def start():
    R = Rotation.from_euler("xyz", [[0.3, -0.2, 0.5], [0.32, -0.17, 0.52], [0.31, -0.21, 0.45]]).as_matrix()
    w = np.array([[0.02, -0.03, 0.01], [0.06, 0.02, -0.04], [-0.05, 0.04, 0.03]])
    r0, v0 = np.array([10.0, -3.0, 5.0]), np.array([0.1, 0.2, -0.1])
    r1 = r0 + R[0] @ [4.01, 0.01, -3.31]
    r2 = r1 + R[1] @ [-0.09, 0.01, -1.86]
    v = v0 + np.array([[0, 0, 0], [0.02, -0.01, 0.03], [-0.01, 0.02, 0.01]])
    return np.concatenate([np.ravel(a) for a in (np.array([r0, r1, r2]), v, R, w)])


def relative(y):
    r, v, R, w = y[:9].reshape(3, 3), y[9:18].reshape(3, 3), y[18:45].reshape(3, 3, 3), y[45:].reshape(3, 3)
    out = [w.ravel()]
    for a, b in ((0, 1), (1, 2)):
        S = R[a].T @ (r[b] - r[a])
        out += [S, R[a].T @ (v[b] - v[a]) - np.cross(w[a], S)]
        out.append(Rotation.from_matrix(R[a].T @ R[b]).as_euler("ZYX")[::-1])
    return np.concatenate(out)


def test_equals_inertial_frame_model_with_all_bodies_rotating():
    ode = docking()
    tight = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-13, "t_eval": [1.0, 2.0, 3.0]}
    rate = ca.Function("rate", [ode.x], [ode.rate], {"cse": True})
    ours = solve_ivp(lambda t, x: np.asarray(rate(x)).ravel(), (0, 3), relative(start()), **tight).y
    theirs = solve_ivp(lambda t, y: inertial_rates(y), (0, 3), start(), **tight).y
    difference = max(np.abs(ours[:, k] - relative(theirs[:, k])).max() for k in range(3))
    assert difference < 1e-10
    assert np.abs(ours[:, -1] - ours[:, 0]).max() > 1e-2


def test_momentum_is_conserved_to_round_off():
    """The angular momentum about the common centre turns with the station: L' + w x L = 0; the forces add up to zero."""
    ode = docking()
    x, s = ode.x, ode.signal
    vec = lambda path: ca.vertcat(*[s(f"{path}.{a}") for a in "xyz"])  # noqa: E731
    R = lambda p: _rpy(vec(p))  # noqa: E731
    ws, Se, Sc = vec("bodies.w_s"), vec("bodies.S_e"), vec("bodies.S_c")
    Re = R("bodies.phi_e")
    Rc = Re @ R("bodies.phi_c")
    place = [ca.SX.zeros(3), Se, Se + Re @ Sc]
    speed = [ca.jtimes(p, x, ode.rate) + ca.cross(ws, p) for p in place]
    centre = sum(m * p for m, p in zip(MASS, place, strict=True)) / sum(MASS)
    drift = sum(m * v for m, v in zip(MASS, speed, strict=True)) / sum(MASS)
    spin = [ws, Re @ vec("bodies.w_e"), Rc @ vec("bodies.w_c")]
    turn = [ca.SX.eye(3), Re, Rc]
    L = sum(
        m * ca.cross(p - centre, v - drift) + A @ (ca.DM(J) * (A.T @ w))
        for m, p, v, A, w, J in zip(MASS, place, speed, turn, spin, INERTIA, strict=True)
    )
    symbols = ca.Function("L", [x], [L, ca.jtimes(L, x, ode.rate) + ca.cross(ws, L)])
    rng = np.random.default_rng(1)
    for _ in range(20):
        state = relative(start()) + 0.05 * rng.standard_normal(27)
        size, change = (np.asarray(v).ravel() for v in symbols(state))
        torque = 4e4 * 0.3 * 4
        assert np.abs(change).max() < 1e-11 * torque
        assert np.linalg.norm(size) > 1


def _rpy(phi):
    c, s = ca.cos(phi), ca.sin(phi)
    x = ca.vertcat(ca.horzcat(1, 0, 0), ca.horzcat(0, c[0], -s[0]), ca.horzcat(0, s[0], c[0]))
    y = ca.vertcat(ca.horzcat(c[1], 0, s[1]), ca.horzcat(0, 1, 0), ca.horzcat(-s[1], 0, c[1]))
    z = ca.vertcat(ca.horzcat(c[2], -s[2], 0), ca.horzcat(s[2], c[2], 0), ca.horzcat(0, 0, 1))
    return z @ y @ x


def test_wrong_counts_are_named():
    with pytest.raises(ParameterError, match="one of each"):
        FloatingBodies(names=("a", "b"), masses=(1.0,), inertias=((1.0, 1.0, 1.0),))
    with pytest.raises(ParameterError, match="must be above 0"):
        FloatingBodies(names=("a",), masses=(-1.0,), inertias=((1.0, 1.0, 1.0),))
