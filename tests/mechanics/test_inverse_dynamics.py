import casadi as ca
import numpy as np
import pytest

from gerotor.mechanics.inverse_dynamics import inverse_dynamics
from gerotor.mechanics.kinematics import jacobian
from gerotor.mechanics.mass_matrix import mass_matrix
from tests.mechanics.kim_arm import kim_arm
from tests.mechanics.peers import mujoco_peer, pinocchio_peer, random_tree


def functions(tree):
    q, v, a = (ca.SX.sym(s, tree.size) for s in "qva")
    tau, mass, jac = inverse_dynamics(tree, q, v, a), mass_matrix(tree, q), jacobian(tree, "tip", q)
    f = ca.Function("f", [q, v, a], [tau, ca.densify(mass), ca.densify(jac)])
    return lambda *x: [np.array(y) for y in f(*x)]


@pytest.mark.parametrize("peer", [pinocchio_peer, mujoco_peer])
@pytest.mark.parametrize("seed", range(12))
def test_random_trees_agree_with_peers(seed, peer):
    tree = random_tree(seed, 1 + seed % 10)
    ours, theirs = functions(tree), peer(tree)
    rng = np.random.default_rng(seed)
    for _ in range(3):
        q, v, a = rng.normal(size=(3, tree.size))
        tau, mass, jac = ours(q, v, a)
        for mine, other in ((tau.ravel(), theirs.tau(q, v, a)), (mass, theirs.mass(q)), (jac, theirs.jacobian(q))):
            np.testing.assert_allclose(mine, other, rtol=1e-9, atol=1e-9 * np.abs(other).max())


def test_gravity_at_zero_is_the_hand_sum():
    """Joint 3: 9.81 (110*0.28 + 85*(0.502+0.26) + 60*(0.984+0.15) + 45*(1.9131-0.45) + 40*1.9131)."""
    tree = kim_arm()
    zero = np.zeros(6)
    tau = np.array(ca.DM(inverse_dynamics(tree, zero, zero, zero))).ravel()
    joint3 = 9.81 * (110 * 0.28 + 85 * 0.762 + 60 * 1.134 + 45 * 1.4631 + 40 * 1.9131)
    joint4 = 9.81 * (85 * 0.26 + 60 * 0.632 + 45 * 0.9611 + 40 * 1.4111)
    np.testing.assert_allclose(tau, [0, 0, joint3, joint4, 0, 0], atol=1e-9)
    np.testing.assert_allclose(tau, [0, 0, 3001.6, 1566.8, 0, 0], atol=0.05)


def test_gravity_can_be_replaced_and_wrenches_carried():
    tree = random_tree(5, 6)
    rng = np.random.default_rng(0)
    q, v, a = rng.normal(size=(3, tree.size))
    force, moment = rng.normal(size=(2, 3))
    np.testing.assert_allclose(
        np.array(ca.DM(inverse_dynamics(tree, q, np.zeros(tree.size), np.zeros(tree.size), gravity=(0, 0, 0)))), 0, atol=1e-12
    )
    with_wrench = inverse_dynamics(tree, q, v, a, wrenches={"tip": (force, moment)})
    change = np.array(ca.DM(with_wrench - inverse_dynamics(tree, q, v, a))).ravel()
    jac = np.array(ca.DM(ca.densify(jacobian(tree, "tip", q))))
    np.testing.assert_allclose(change, -jac.T @ np.concatenate([force, moment]), atol=1e-10)


def test_operations_of_the_arm():
    q, v, a = (ca.SX.sym(s, 6) for s in "qva")
    f = ca.Function("f", [q, v, a], [inverse_dynamics(kim_arm(), q, v, a)], {"cse": True})
    free = (ca.OP_INPUT, ca.OP_OUTPUT, ca.OP_CONST)
    assert sum(f.instruction_id(k) not in free for k in range(f.n_instructions())) <= 360
