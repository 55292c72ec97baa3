import casadi as ca
import numpy as np
import pytest

from gerotor.assembly.system import System
from gerotor.core.evaluate import function
from gerotor.errors import ParameterError
from gerotor.integrators import integrator
from gerotor.mechanics.inverse_dynamics import inverse_dynamics
from gerotor.mechanics.lockable_multibody import LockableMultibody
from gerotor.mechanics.mass_matrix import mass_matrix
from gerotor.simulation.simulation import Simulation
from tests.mechanics.peers import random_tree

TREE = random_tree(4, 8)
N = TREE.size


def arm():
    system = System("m")
    tau, locked, r = (ca.vertcat(*[system.input(f"{k}{i}", "1") for i in range(N)]) for k in ("tau", "locked", "r"))
    system.add("arm", LockableMultibody(tree=TREE, time_constant=0.01)).connect(tau=tau, locked=locked, r=r)
    return system.ode()


def draw(seed):
    return np.random.default_rng(seed).normal(size=(4, N))


def numbers(expression):
    return np.asarray(ca.DM(expression))


def test_free_joints_move_as_if_the_locked_were_welded():
    q, v, tau, r = draw(1)
    locked = np.arange(N) % 2 == 0
    rate = arm().derivative_at(np.concatenate([q, v]), np.concatenate([tau, locked, r]))
    moving = np.where(locked, 0, v)
    bias, M = numbers(inverse_dynamics(TREE, q, moving, np.zeros(N))).ravel(), numbers(ca.densify(mass_matrix(TREE, q)))
    free = ~locked
    np.testing.assert_allclose(rate[:N], moving)
    np.testing.assert_allclose(rate[N:][free], np.linalg.solve(M[np.ix_(free, free)], (tau - bias)[free]), rtol=1e-9)
    np.testing.assert_allclose(rate[N:][locked], ((r - v) / 0.01)[locked])


def test_hold_is_the_force_of_the_motion_with_the_joint_at_rest():
    q, v, tau, r = draw(2)
    locked = np.arange(N) % 3 == 0
    rate = arm().derivative_at(np.concatenate([q, v]), np.concatenate([tau, locked, r]))
    part = LockableMultibody(tree=TREE, time_constant=0.01)
    hold = np.asarray(function(part)(q=q, v=v, tau=tau, locked=locked, r=r)["hold"]).ravel()
    expected = numbers(inverse_dynamics(TREE, q, np.where(locked, 0, v), np.where(locked, 0, rate[N:]))).ravel()
    np.testing.assert_allclose(hold, expected, rtol=1e-8, atol=1e-8 * np.abs(expected).max())
    np.testing.assert_allclose(hold[~locked], tau[~locked], rtol=1e-8, atol=1e-8 * np.abs(expected).max())


def test_a_locked_arm_stands_still_and_its_speed_is_a_memory():
    sim = Simulation(arm())
    start = {f"arm.v.{n}": 0.3 for n in TREE.names}
    inputs = {f"locked{i}": 1.0 for i in range(N)} | {f"r{i}": 1e-3 for i in range(N)}
    rec = sim.run(0.1, 1e-4, start=start, inputs=inputs)
    for n in TREE.names:
        assert np.ptp(rec[f"arm.q.{n}"]) == 0
        assert rec[f"arm.v.{n}"][-1] == pytest.approx(1e-3 + 0.299 * np.exp(-10), rel=1e-3)


def test_staggered_method_refuses_it():
    with pytest.raises(ParameterError, match="can be locked"):
        integrator("hht-alpha").build(arm())
