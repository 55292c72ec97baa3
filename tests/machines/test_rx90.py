"""The electric robot as a machine file: same numbers as by hand, two-rate control, limits, clear errors."""

import math

import casadi as ca
import numpy as np
import pytest

from gerotor.assembly.cut import cut
from gerotor.control.line import line
from gerotor.core.linearise import MotionLinearisation
from gerotor.errors import GerotorError, InputError, NoSolutionError
from gerotor.machines import load_machine
from gerotor.machines.servo import servo_of, setpoints
from gerotor.mechanics.elbow_arm import ElbowArm
from gerotor.mechanics.joint_motion import JointMotion
from gerotor.simulation.simulation import Simulation
from tests.mechanics.kim_arm import kim_arm
from tests.reduction import rx90 as by_hand

ROBOT = load_machine("rx90")
Q = [f"arm.q.j{k}" for k in range(1, 7)]


def motion(start=(0.5, -0.6, 0.25), end=(0.5, 0.65, 0.25), speed=0.25, **options) -> JointMotion:
    path = line(start, end, speed=speed, acceleration=1.0, **options)
    ik = ElbowArm.of(ROBOT.tree, "tip")
    return JointMotion(ROBOT.tree, "tip", path, lambda p: ik.along(p, by_hand.DOWN))


def test_file_and_hand_made_system_have_the_same_rates() -> None:
    file, hand = ROBOT.assemble(positions=("tip",)).ode(), by_hand.system().ode()
    rng = np.random.default_rng(0)
    values = dict(zip(hand.states.names, rng.normal(size=19) * 0.3, strict=True))
    values |= {f"friction{k}.z": 1e-6 * k for k in range(1, 8)}
    currents = rng.normal(size=6)
    a = hand.derivative_at(hand.states.pack(values), currents)
    b = file.derivative_at(file.states.pack(values), currents)
    found, wanted = (dict(zip(o.states.names, r, strict=True)) for o, r in ((file, b), (hand, a)))
    assert found == pytest.approx(wanted, rel=1e-9, abs=1e-9)


def test_moving_joint_5_alone_turns_motors_5_and_6() -> None:
    drives = ROBOT.drives
    assert drives is not None
    turns = np.array(ca.DM(drives.gears.matrix)) @ np.eye(6)[4]
    assert turns == pytest.approx([0, 0, 0, 0, 80, 45])
    assert drives.coordinates[5] == pytest.approx([0, 0, 0, 0, 1, 1])


def test_friction_power_of_the_coupled_element() -> None:
    """tau_f . v of the six joints equals the sum over seven elements."""
    ode = ROBOT.ode()
    rng = np.random.default_rng(2)
    v = rng.normal(size=6)
    x = ode.states.pack({f"arm.v.j{k + 1}": v[k] for k in range(6)} | {f"friction{k}.z": 1e-6 for k in range(1, 8)})
    force = ca.Function("f", [ode.x, ode.u], [next(b for b in ode.blocks if b.name == "arm").force])
    smooth = MotionLinearisation(cut(ROBOT.assemble().system, ["arm", "spring"]).ode())
    without = -smooth.along(np.zeros(6), v, np.zeros(6))[0][0, :, 0]
    friction = without - np.array(force(x, np.zeros(6))).ravel()
    y = dict(zip(ode.outputs.names, np.array(ode.function("y", ode.y)(x, np.zeros(6), [], 0)).ravel(), strict=True))
    elements = sum(y[f"friction{k}.F"] * w for k, w in enumerate([*v, v[4] + v[5]], 1))
    assert friction @ v == pytest.approx(elements, rel=1e-9)


def test_static_load_is_carried_without_error() -> None:
    """At rest, started with the static torque, nothing moves but the bristles' breath."""
    stay = motion(end=(0.5, -0.6, 0.25))
    q = stay.at([0.0])[0][0]
    smooth = MotionLinearisation(cut(ROBOT.assemble().system, ["arm", "spring"]).ode())
    load = smooth.along(q, np.zeros(6), np.zeros(6))[0][0, :, 0]
    run = Simulation(ROBOT.ode(), servo_of(ROBOT, "servo", load), [setpoints(ROBOT, "servo", stay, 0.2)])
    out = run.run(0.2, 0.25e-3, start=dict(zip(Q, q, strict=True)), record=Q)
    assert np.abs(out.values[:, 1:] - q).max() < 1e-12
    heavy = Simulation(ROBOT.ode(), servo_of(ROBOT, "servo"), [setpoints(ROBOT, "servo", stay, 2.0)])
    out = heavy.run(2.0, 0.25e-3, start=dict(zip(Q, q, strict=True)), record=Q)
    assert np.abs(out.values[:, 1:] - q).max() > 1e-3
    assert np.abs(out.values[-1, 1:] - q).max() < 2e-4


def test_currents_saturate() -> None:
    fast = motion(speed=3.0)
    table = setpoints(ROBOT, "servo", motion(), 0.3)
    jump = type(table)(table.name, table.period, np.array(table.rows) + 0.5, table.holds)
    run = Simulation(ROBOT.ode(), servo_of(ROBOT, "servo"), [jump])
    q = motion().at([0.0])[0][0]
    out = run.run(0.05, 0.25e-3, start=dict(zip(Q, q, strict=True)), record=[f"j{k}.i" for k in range(1, 7)])
    peaks = np.abs(out.values[:, 1:]).max(axis=0)
    assert (peaks <= np.array(by_hand.MAX_CURRENT) + 1e-12).all()
    assert peaks[0] > 11.9
    assert fast.duration > 0


def test_ranges_speeds_reach_singularity_and_nonsense() -> None:
    with pytest.raises(InputError, match=r"rx90.j\d moves at .* rad/s at .* s: at most .* slow the path down"):
        setpoints(ROBOT, "servo", motion(start=(0.02, -0.6, 0.25), end=(0.02, 0.6, 0.25), speed=2.0), 1.0)
    with pytest.raises(InputError, match=r"rx90.j1 = .* rad at .* s: must be within -2.79253 to 2.79253 rad"):
        setpoints(ROBOT, "servo", motion(start=(-0.5, 0.3, 0.25), end=(-0.5, 0.05, 0.25)), 2.0)
    with pytest.raises(NoSolutionError, match=r"must be within 0 to 0\.9 m"):
        setpoints(ROBOT, "servo", motion(end=(0.5, 1.65, 0.25)), 9.0)
    with pytest.raises(NoSolutionError, match="singular pose of 'tip'"):
        setpoints(ROBOT, "servo", motion(start=(0.5, 0.0, 0.25), end=(-0.5, 0.0, 0.25)), 6.0)
    with pytest.raises(GerotorError, match="finite"):
        motion(end=(0.5, math.nan, 0.25))


def test_wrong_sections_are_told() -> None:
    def changed(**sections):
        return ROBOT.varied(sections)

    with pytest.raises(InputError, match=r"drives\.couplings\[0\]\.motor: unknown joint 'j9'"):
        drives = dict(ROBOT.document["drives"]) | {"couplings": [{"motor": "j9", "joint": "j5", "ratio": 45}]}
        changed(drives=drives).ode()
    with pytest.raises(InputError, match="unknown friction model 'stick'"):
        changed(frictions=[{"name": "friction1", "model": "stick"}]).ode()
    with pytest.raises(InputError, match="must be servo"):
        servo_of(changed(controllers={"servo": {"kind": "pid"}}), "servo")
    with pytest.raises(InputError, match="unknown controller 'serva'"):
        servo_of(ROBOT, "serva")
    with pytest.raises(InputError, match="not an elbow arm"):
        ElbowArm.of(kim_arm(), "tcp")


@pytest.mark.parametrize("name", ["rx90", "rx90-stiff"])
@pytest.mark.parametrize("step", [1e-5, 0.25e-3, 1e-2])
def test_bristles_stay_bounded_and_follow_the_stribeck_curve_at_any_step(name: str, step: float) -> None:
    """Joint 1 driven back and forth, at 10 and at 0.25 urad of stick range: |z| within static/stiffness, steady 32.5 N m."""
    ode = cut(load_machine(name).assemble().system, ["friction1"]).ode()
    run = Simulation(ode, method="linear-euler")
    world = run.world(step)
    limit = (10e-6 if name == "rx90" else 0.25e-6) * (1 + 1e-9)
    for v in (0.1, -2.0, 1e-7, 0.01, -1e-3, 5.0, 0.1):
        world.w[0] = v
        for _ in range(50):
            run.kernel.run(world, 1)
            assert abs(world.x[0]) <= limit
    run.kernel.run(world, 50)
    force = ode.function("F", ode.signal("friction1.F"))
    assert float(force(world.x, [0.1], [], 0)) == pytest.approx(32.5 + 7.5 * math.exp(-((0.1 / 0.03) ** 2)), rel=1e-6)


@pytest.mark.parametrize(("name", "stiffness"), [("rx90", 3.75e6), ("rx90-stiff", 1.5e8)])
def test_presliding_is_a_spring_of_the_bristles_stiffness(name: str, stiffness: float) -> None:
    ode = cut(load_machine(name).assemble().system, ["friction1"]).ode()
    run = Simulation(ode, method="extrapolated")
    world = run.world(1e-6)
    force = ode.function("F", ode.signal("friction1.F"))
    move = 1e-3 * 37.5 / stiffness
    world.w[0] = move / 1e-3
    run.kernel.run(world, 1000)
    assert float(force(world.x, [0.0], [], 0)) == pytest.approx(stiffness * move, rel=2e-3)
