import casadi as ca
import numpy as np
import pytest

from gerotor.mechanics.inverse_dynamics import inverse_dynamics
from gerotor.mechanics.mass_matrix import mass_matrix
from tests.mechanics.kim_arm import kim_arm
from tests.mechanics.peers import random_tree


def test_published_arm_at_zero():
    m = np.array(ca.DM(ca.densify(mass_matrix(kim_arm(), np.zeros(6)))))
    np.testing.assert_allclose(np.diag(m), [1989.26, 520.00, 387.76, 157.33, 50.01, 1.00], atol=0.006)
    np.testing.assert_allclose([m[0, 4], m[2, 3]], [206.65, 237.50], atol=0.006)


@pytest.mark.parametrize("seed", range(6))
def test_symmetric_positive_definite(seed):
    tree = random_tree(seed, 8)
    m = np.array(ca.DM(ca.densify(mass_matrix(tree, np.random.default_rng(seed).normal(size=tree.size)))))
    assert np.array_equal(m, m.T)
    assert np.linalg.eigvalsh(m)[0] > 0


@pytest.mark.parametrize("seed", range(4))
def test_rate_of_mass_minus_twice_coriolis_does_no_work(seed):
    """v' (dM/dt - 2 C) v = 0 with C v = tau(q, v, 0) - tau(q, 0, 0)."""
    tree = random_tree(seed, 7)
    n = tree.size
    q, v = ca.SX.sym("q", n), ca.SX.sym("v", n)
    momentum = mass_matrix(tree, q) @ v
    rate = ca.jacobian(momentum, q) @ v
    coriolis = inverse_dynamics(tree, q, v, ca.SX.zeros(n), gravity=(0, 0, 0))
    f = ca.Function("f", [q, v], [ca.dot(v, rate - 2 * coriolis), ca.dot(v, rate)])
    power, size = f(*np.random.default_rng(seed).normal(size=(2, n)))
    assert abs(float(power)) < 1e-11 * (1 + abs(float(size)))


def test_only_structural_non_zeros():
    tree = random_tree(3, 9)
    m = mass_matrix(tree, ca.SX.sym("q", tree.size))
    for i in range(tree.size):
        for j in range(i):
            related = j in tree.path(i)
            assert related or not m.sparsity().has_nz(i, j)
