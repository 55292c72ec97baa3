"""Closed chains against a hand-derived Lagrangian, Pinocchio's matrices with multipliers, MuJoCo's constraints, energy."""

import math
from dataclasses import replace

import casadi as ca
import numpy as np
import pytest

from gerotor.assembly.system import System
from gerotor.core.component import Signals
from gerotor.core.evaluate import evaluate
from gerotor.errors import ParameterError
from gerotor.maths.pose import Pose
from gerotor.mechanics.closed_multibody import ClosedMultibody
from gerotor.mechanics.energy import kinetic_energy, potential_energy
from gerotor.mechanics.frame import Frame
from gerotor.mechanics.loop import Distance, PointOnPoint, RevoluteLoop
from gerotor.simulation.simulation import Simulation
from tests.mechanics.four_bar import LENGTHS, MASSES, four_bar, four_bar_tree
from tests.mechanics.peers import mujoco_loop, numbers, pinocchio_peer, random_tree


def acceleration(mechanism: ClosedMultibody, q, v, guess, **inputs) -> np.ndarray:
    x = Signals(q=ca.SX(q), v=ca.SX(v), guess=ca.SX(guess))
    force = np.atleast_1d(evaluate(mechanism, q=q, v=v, guess=guess, **inputs)["d_v"])
    return np.linalg.solve(numbers(mechanism.mass(x, Signals())), force)


def test_published_mechanism() -> None:
    """Worked by hand for the beams of 2, 8, 5 m: pivots, reduced mass, gravity, one acceleration."""
    mechanism = four_bar()
    assert mechanism.assembled.independent == (0,)
    y = evaluate(mechanism, q=math.pi / 3, guess=mechanism.assembled.q[1:])
    assert y["p2"][:2] == pytest.approx([8.412459, 4.741278], abs=5e-7)
    assert sum(mechanism.assembled.q[:2]) == pytest.approx(0.385641, abs=5e-7)
    assert y["l_cylinder"] == pytest.approx(math.sqrt(3), abs=1e-12)
    assert -y["d_v"] == pytest.approx(1206.2653, abs=5e-5)
    x = Signals(q=ca.SX(math.pi / 3), v=ca.SX(0), guess=ca.SX(mechanism.assembled.q[1:]))
    assert float(mechanism.mass(x, Signals())) == pytest.approx(1212.5278, abs=5e-5)
    mechanism = four_bar(angle=1.0)
    found = acceleration(mechanism, 1.0, 0.7, mechanism.assembled.q[1:], F_cylinder=1234.0)
    assert found[0] == pytest.approx(-2.173057, abs=5e-7)


def four_bar_angles(theta: np.ndarray | float) -> tuple:
    """Coupler and rocker angle by the cosine rule, joint above the ground line."""
    px, py = LENGTHS[0] * np.cos(theta), LENGTHS[0] * np.sin(theta)
    dx, dy = 10 - px, -py
    d = np.hypot(dx, dy)
    corner = np.arccos((d**2 + LENGTHS[1] ** 2 - LENGTHS[2] ** 2) / (2 * d * LENGTHS[1]))
    coupler = np.arctan2(dy, dx) + corner
    return coupler, np.arctan2(0 - py - LENGTHS[1] * np.sin(coupler), 10 - px - LENGTHS[1] * np.cos(coupler))


@pytest.mark.parametrize("theta", [0.3, 1.0, 2.2, 4.0, 5.9])
def test_against_lagrangian(theta: float) -> None:
    """M(theta), dM/dtheta and dV/dtheta of one coordinate, by complex-free differences of closed forms."""

    def energies(a):
        angles = np.array([a, *four_bar_angles(a)])
        starts = np.array([[0, 0], LENGTHS[0] * np.array([np.cos(a), np.sin(a)]), [0, 0]])
        starts[2] = starts[1] + LENGTHS[1] * np.array([np.cos(angles[1]), np.sin(angles[1])])
        centres = starts + 0.5 * np.array(LENGTHS)[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
        return angles, centres

    def mass(a, e=1e-4):
        (a1, c1), (a0, c0) = energies(a + e), energies(a - e)
        (a3, c3), (a2, c2) = energies(a + 2 * e), energies(a - 2 * e)
        da, dc = (8 * (a1 - a0) - (a3 - a2)) / (12 * e), (8 * (c1 - c0) - (c3 - c2)) / (12 * e)
        spin = np.array(MASSES) * np.array(LENGTHS) ** 2 / 12
        return np.sum(np.array(MASSES)[:, None] * dc**2) + np.sum(spin * da**2)

    def height(a):
        return 9.81 * np.sum(np.array(MASSES) * energies(a)[1][:, 1])

    e, speed = 1e-3, 0.7
    m, slope = mass(theta), (mass(theta + e) - mass(theta - e)) / (2 * e)
    pull = (height(theta + e) - height(theta - e)) / (2 * e)
    expected = (-0.5 * slope * speed**2 - pull) / m
    coupler, rocker = four_bar_angles(theta)
    found = acceleration(four_bar(), theta, speed, [coupler - theta, rocker - coupler])
    assert found[0] == pytest.approx(expected, rel=1e-6)


def spatial(kind: str, seed: int) -> ClosedMultibody:
    """A random tree of six moving joints, closed at a random configuration."""
    rng = np.random.default_rng(seed)
    tree = random_tree(seed, 6)
    tree = replace(tree, joints=tuple(
        replace(j, parent=f"j{k - 1}" if k else None, kind="revolute" if kind == "revolute" or j.kind == "fixed" else j.kind)
        for k, j in enumerate(tree.joints)
    ))
    q = rng.uniform(-1, 1, 6)
    from gerotor.mechanics.kinematics import frame_pose

    tip = frame_pose(tree, "tip", q)
    shift = (0, 0, 0) if kind != "distance" else rng.normal(size=3)
    base = Frame("base", None, Pose(tip.rotation, tip.translation) @ Pose.at(*shift, yaw=0.7))
    tree = replace(tree, frames=(*tree.frames, base))
    loop = {"point": PointOnPoint("l", "tip", "base"), "revolute": RevoluteLoop("l", "tip", "base"),
            "distance": Distance("l", "tip", "base", float(np.linalg.norm(shift)) or 1.0)}[kind]
    return ClosedMultibody(tree=tree, loops=(loop,), start=dict(zip(tree.names, q, strict=True)))


@pytest.mark.parametrize("kind", ["point", "revolute", "distance"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_spatial_loop_against_pinocchio(kind: str, seed: int) -> None:
    """M a + b = tau + J' lambda, J a = -J' v, with Pinocchio's M, b and J."""
    mechanism = spatial(kind, seed)
    tree, made = mechanism.tree, mechanism.assembled
    assert len(made.dependent) == {"point": 3, "revolute": 5, "distance": 1}[kind]
    rng = np.random.default_rng(seed)
    dependent, independent = list(made.dependent), list(made.independent)
    q, v, tau = made.q, rng.normal(size=len(independent)), rng.normal(size=6) * 5
    y = evaluate(mechanism, q=q[independent], v=v, guess=q[dependent])
    w = np.ravel(y["w"])
    tip, base = tree.frames
    ends = [tip] if kind != "revolute" else [tip, Frame("tip", tip.joint, tip.placement @ Pose.at(z=1.0))]
    peers = [pinocchio_peer(replace(tree, frames=(end,))) for end in ends]
    anchor = numbers(base.placement.translation).ravel()

    def rows(at):
        full = np.vstack([p.jacobian(at)[:3] for p in peers])
        if kind != "distance":
            return full
        from gerotor.mechanics.kinematics import position

        return (numbers(position(tree, "tip", at)).ravel() - anchor)[None, :] @ full

    e = 1e-5
    drift = (rows(q + e * w) @ w - rows(q - e * w) @ w) / (2 * e)
    J, M = rows(q), peers[0].mass(q)
    assert np.abs(J @ w).max() < 1e-9
    bias = peers[0].tau(q, w, np.zeros(6))
    n = len(J)
    kkt = np.block([[M, -J.T], [J, np.zeros((n, n))]])
    expected = np.linalg.lstsq(kkt, np.concatenate([tau - bias, -drift]), rcond=1e-12)[0][:6]
    found = acceleration(mechanism, q[independent], v, q[dependent], tau=tau)
    np.testing.assert_allclose(found, expected[independent], rtol=1e-6, atol=1e-6 * np.abs(expected).max())


@pytest.mark.parametrize("kind", ["point", "revolute"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_spatial_loop_against_mujoco(kind: str, seed: int) -> None:
    """Equality constraints of MuJoCo: one point held, or two points of an axis."""
    mechanism = spatial(kind, seed)
    tree, made = mechanism.tree, mechanism.assembled
    rng = np.random.default_rng(seed)
    dependent, independent = list(made.dependent), list(made.independent)
    q, v, tau = made.q, rng.normal(size=len(independent)), rng.normal(size=6) * 5
    w = np.ravel(evaluate(mechanism, q=q[independent], v=v, guess=q[dependent])["w"])
    tip, base = tree.frames
    pairs = [("tip", "base")]
    if kind == "revolute":
        along = Pose.at(z=1.0)
        tree = replace(tree, frames=(
            tip, base, Frame("tip2", tip.joint, tip.placement @ along), Frame("base2", None, base.placement @ along)))
        pairs.append(("tip2", "base2"))
    expected = mujoco_loop(tree, pairs, q, w, tau)
    found = acceleration(mechanism, q[independent], v, q[dependent], tau=tau)
    np.testing.assert_allclose(found, expected[independent], rtol=1e-6, atol=1e-6 * np.abs(expected).max())


def crank_run(mechanism: ClosedMultibody, speed: float, duration: float, step: float, method: str = "rk4"):
    system = System("loop")
    part = system.add("m", mechanism)
    part.connect(tau=[0.0] * 3, F_cylinder=0.0)
    t, v = kinetic_energy(mechanism.tree, part.z, part.w), potential_energy(mechanism.tree, part.z)
    system.output("energy", "J", t + v)
    return Simulation(system.ode(), method=method).run(
        duration, step, start={"m.v.crank": speed}, record=["m.q.crank", "m.z.coupler", "m.z.rocker", "m.closure", "energy"],
    )


def test_full_turns_keep_loop_and_energy() -> None:
    """The crank turns round and round; the loop stays closed to rounding and no energy is lost."""
    run = crank_run(four_bar(gravity=9.81), 8.0, 3.0, 5e-4)
    assert np.ptp(run["m.q.crank"]) > 4 * math.pi
    z1, z2, z3 = run["m.q.crank"], run["m.z.coupler"], run["m.z.rocker"]
    total = sum(length * np.exp(1j * angle) for length, angle in zip(LENGTHS, (z1, z1 + z2, z1 + z2 + z3), strict=True))
    assert np.abs(total - 10).max() < 1e-12
    assert np.ptp(run["energy"]) < 1e-6 * abs(run["energy"][0])


def test_loop_is_exact_with_a_coarse_step_and_any_method() -> None:
    run = crank_run(four_bar(), 8.0, 0.5, 0.01, "extrapolated")
    total = sum(n * np.exp(1j * a) for n, a in zip(
        LENGTHS, np.cumsum([run["m.q.crank"], run["m.z.coupler"], run["m.z.rocker"]], axis=0), strict=True))
    assert np.abs(total - 10).max() < 1e-12


def test_partition_is_chosen_where_none_is_named() -> None:
    mechanism = four_bar(independent=None)
    assert len(mechanism.assembled.dependent) == 2
    x = Signals(q=ca.SX(mechanism.assembled.q[list(mechanism.assembled.independent)]), v=ca.SX(0.3),
                guess=ca.SX(mechanism.assembled.q[list(mechanism.assembled.dependent)]))
    assert float(mechanism.mass(x, Signals())) > 0


def test_guess_stays_out_of_the_derivatives() -> None:
    mechanism = four_bar()
    q, v, g = ca.SX.sym("q"), ca.SX.sym("v"), ca.SX.sym("g", 2)
    u = Signals(tau=ca.SX.zeros(3), F_cylinder=ca.SX(0))
    force = mechanism.derivative(Signals(q=q, v=v, guess=g), u).v
    slope = ca.Function("s", [q, v, g], [ca.jacobian(force, g)])(1.0, 0.7, mechanism.assembled.q[1:])
    assert float(ca.norm_inf(slope)) == 0.0


def test_tree_without_loop() -> None:
    with pytest.raises(ParameterError, match="no loop to close"):
        ClosedMultibody(tree=four_bar_tree(), loops=())


def test_near_singular_run_is_named_with_its_time() -> None:
    """With the crank at 180 deg coupler and rocker come nearest to one line."""
    mechanism = four_bar(least_closure=0.5)
    run = crank_run(mechanism, 8.0, 1.0, 1e-3)
    first = run.time[np.argmax(run["m.closure"] < 0.5)]
    assert len(run.facts["warnings"]) == 1
    assert run.facts["warnings"][0].startswith(f"m.closure left its range 0.5 to inf 1 at {first:.6g} s")
    assert crank_run(four_bar(), 0.5, 0.1, 1e-3).facts["warnings"] == []
