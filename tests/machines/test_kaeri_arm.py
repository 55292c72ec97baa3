"""The machine file against numbers worked out from the source's tables."""

import copy
import math

import casadi as ca
import numpy as np
import pytest

from gerotor.control.gain_rule import gain_rule
from gerotor.machines import Machine, load_machine
from gerotor.machines.controllers import controller_of
from gerotor.machines.load import validate
from gerotor.mechanics.inverse_dynamics import inverse_dynamics
from gerotor.mechanics.kinematics import frame_pose, position
from gerotor.mechanics.mass_matrix import mass_matrix

ZERO = np.zeros(6)


@pytest.fixture(scope="module")
def arm() -> Machine:
    return load_machine("kaeri-arm")


def test_frames_at_zero(arm) -> None:
    """Frame origins and axes as Table 1 of the source puts them."""
    along = {"j1": 0.0, "j2": 1.329, "j3": 1.329, "j4": 1.831, "j5": 2.313, "j6": 3.2421, "tcp": 3.2421}
    axes = {"j1": (0, 0, 1), "j2": (0, 1, 0), "j3": (1, 0, 0), "j4": (1, 0, 0), "j5": (0, 0, 1), "j6": (0, 1, 0)}
    for frame, y in along.items():
        pose = frame_pose(arm.tree, frame, ca.DM(ZERO))
        np.testing.assert_allclose(np.array(ca.DM(pose.translation)).ravel(), (0, y, 0), atol=1e-12)
        if frame in axes:
            np.testing.assert_allclose(np.array(ca.DM(pose.rotation))[:, 2], axes[frame], atol=1e-12)


def test_jacobian_at_zero(arm) -> None:
    q = ca.SX.sym("q", 6)
    jacobian = ca.Function("J", [q], [ca.jacobian(position(arm.tree, "tcp", q), q)])(ZERO).full()
    want = [(-3.2421, 0, 0), (0, 1, 0), (0, 0, 1.9131), (0, 0, 1.4111), (-0.9291, 0, 0), (0, 0, 0)]
    np.testing.assert_allclose(jacobian.T, want, atol=1e-12)


def test_gravity_torque_and_inertia_at_zero(arm) -> None:
    """Gravity: 9.81 times the sum of mass and lever, beyond joints 3 and 4, by hand; inertia to the printed digits."""
    gravity = np.array(ca.DM(inverse_dynamics(arm.tree, ca.DM(ZERO), ca.DM(ZERO), ca.DM(ZERO)))).ravel()
    np.testing.assert_allclose(gravity, (0, 0, 3001.6, 1566.8, 0, 0), atol=0.05)
    beyond = [(110, 0.28), (85, 0.502 + 0.26), (60, 0.984 + 0.15), (45, 0.984 + 0.4791), (40, 0.984 + 0.9291)]
    assert gravity[2] == pytest.approx(9.81 * sum(m * lever for m, lever in beyond), rel=1e-12)
    M = np.array(ca.DM(mass_matrix(arm.tree, ca.DM(ZERO))))
    np.testing.assert_allclose(np.diag(M), (1989.26, 520.00, 387.76, 157.33, 50.01, 1.00), atol=0.006)
    assert (M[0, 4], M[2, 3]) == pytest.approx((206.65, 237.50), abs=0.005)


def test_oil_stiffness(arm) -> None:
    """-dF/dp dp'/dv of each joint, shut valves: 2 eta beta (ratio D)^2 / V."""
    ode = arm.ode()
    x = ode.states.pack(arm.assemble().rest())
    v = [ode.states.index(f"arm.v.j{k}") for k in range(1, 7)]
    pressures = [ode.states.index(f"j{k}.line_{i}.p") for k in range(1, 7) for i in (1, 2)]
    slope = ode.function("slope", ca.jacobian(ode.force[v], ode.x), ca.jacobian(ode.force[pressures], ode.x))
    force, rate = (np.array(m) for m in slope(x, np.zeros(6), [], 0))
    stiffness = -np.diag(force[:, pressures] @ rate[:, v])
    np.testing.assert_allclose(stiffness, (2.324e7, 5.056e8, 2.324e7, 2.324e7, 8.196e6, 8.196e6), rtol=3e-4)
    by_hand = 2 * 0.84 * 1e9 * (160 * 80e-6 / (2 * math.pi)) ** 2 / 3e-4
    assert stiffness[0] == pytest.approx(by_hand, rel=1e-6)


def test_closed_valve_modes(arm) -> None:
    """Undamped modes of the whole model, without friction and leakage, valves shut, at q = 0."""
    document = copy.deepcopy(dict(arm.document))
    for joint in document["joints"]:
        del joint["actuator"]["friction"], joint["actuator"]["leakage"]
    bare = Machine(validate(document, arm.path), document, arm.path)
    made = bare.assemble()
    ode = made.ode()
    jacobian = ode.function("A", ca.jacobian(ode.rate, ode.x))(ode.states.pack(made.rest()), np.zeros(6), [], 0).full()
    modes = np.linalg.eigvals(jacobian)
    ringing = modes[(np.abs(modes.real) < 0.02 * np.abs(modes)) & (modes.imag > 1)].imag / (2 * math.pi)
    np.testing.assert_allclose(np.sort(ringing), (16.9, 33.1, 86.6, 156.9, 262.1, 455.7), rtol=3e-3)


def test_speed_gain_of_a_joint(arm) -> None:
    """Half the supply across each edge: 1.289 sqrt(2) deg/s per mA at joint 1, no load."""
    ode = arm.ode()
    flow = ode.function("Q", ode.signal("j1.valve.Q1"))
    start = {**arm.assemble().rest(), "j1.valve.x": 1.0, "j1.line_1.p": 70e5, "j1.line_2.p": 70e5}
    speed = float(flow(ode.states.pack(start), np.zeros(6), [], 0)) / (160 * 80e-6)
    assert math.degrees(speed * 2 * math.pi) / 20 == pytest.approx(1.289 * math.sqrt(2), rel=1e-3)


def test_gains_of_both_tables_obey_the_rule(arm) -> None:
    for name, estimates in (("circle", (4e-4, 1e-3, 5e-4, 4e-4, 1e-3, 1e-3)), ("cut", (2e-4, 5e-4, 2.5e-4, 2e-4, 5e-4, 5e-4))):
        section = arm.file.controllers[name]
        gains = gain_rule(estimates, period=0.01)
        for key in ("Kp", "Ki", "Kd"):
            printed = [float(text.split()[0]) for text in section[key]]
            np.testing.assert_allclose(getattr(gains, key), printed, rtol=1e-12)


def test_variants() -> None:
    """N adds rotor inertia to the diagonal, 250 the payload; all else is the same."""
    base, rotors, loaded = (load_machine(n) for n in ("kaeri-arm", "kaeri-arm-n", "kaeri-arm-250"))
    M = [np.array(ca.DM(mass_matrix(m.tree, ca.DM(ZERO)))) for m in (base, rotors, loaded)]
    np.testing.assert_allclose(M[1] - M[0], np.diag((102.4, 2368.71, 102.4, 102.4, 38.4, 38.4)), atol=1e-2)
    assert M[2][1, 1] - M[0][1, 1] == pytest.approx(210)
    gravity = np.array(ca.DM(inverse_dynamics(loaded.tree, ca.DM(ZERO), ca.DM(ZERO), ca.DM(ZERO)))).ravel()
    assert gravity[2] == pytest.approx(6.9e3, rel=0.01)


def test_controller_clips_at_the_valves_rating(arm) -> None:
    part = controller_of(arm, "circle", [f"j{k}.i" for k in range(1, 7)], "A")
    d, r = part.states.array("start"), np.concatenate([np.zeros(6), np.full(6, 10.0)])
    _, held = part.update(ca.DM(d), ca.DM(r), 0)
    np.testing.assert_allclose(np.array(ca.evalf(held)).ravel(), 0.020)
