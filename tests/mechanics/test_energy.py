import casadi as ca
import numpy as np
import pytest

from gerotor.mechanics.energy import kinetic_energy, potential_energy
from gerotor.mechanics.inverse_dynamics import inverse_dynamics
from gerotor.mechanics.mass_matrix import mass_matrix
from tests.mechanics.peers import random_tree


@pytest.mark.parametrize("seed", range(5))
def test_kinetic_energy_is_half_v_m_v(seed):
    tree = random_tree(seed, 9)
    q, v = np.random.default_rng(seed).normal(size=(2, tree.size))
    m = np.array(ca.DM(ca.densify(mass_matrix(tree, q))))
    assert float(kinetic_energy(tree, q, v)) == pytest.approx(v @ m @ v / 2, rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_holding_force_is_the_slope_of_the_potential(seed):
    tree = random_tree(seed, 9)
    q = ca.SX.sym("q", tree.size)
    zero = ca.SX.zeros(tree.size)
    f = ca.Function("f", [q], [ca.gradient(potential_energy(tree, q), q), inverse_dynamics(tree, q, zero, zero)])
    slope, tau = (np.array(y) for y in f(np.random.default_rng(seed).normal(size=tree.size)))
    np.testing.assert_allclose(tau, slope, atol=1e-10 * (1 + np.abs(slope).max()))


def test_lagrange_gives_the_newton_euler_forces():
    """d/dt dT/dv - dT/dq + dV/dq = tau."""
    tree = random_tree(6, 7)
    n = tree.size
    q, v, a = (ca.SX.sym(s, n) for s in "qva")
    kinetic = kinetic_energy(tree, q, v)
    momentum = ca.gradient(kinetic, v)
    lagrange = ca.jacobian(momentum, q) @ v + ca.jacobian(momentum, v) @ a - ca.gradient(kinetic - potential_energy(tree, q), q)
    f = ca.Function("f", [q, v, a], [lagrange, inverse_dynamics(tree, q, v, a)])
    left, right = (np.array(y) for y in f(*np.random.default_rng(0).normal(size=(3, n))))
    np.testing.assert_allclose(left, right, atol=1e-10 * np.abs(right).max())
