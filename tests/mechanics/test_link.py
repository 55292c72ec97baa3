import casadi as ca
import numpy as np
import pytest

from tests.mechanics.peers import random_tree


@pytest.mark.parametrize("index", range(6))
def test_vectors_and_tensors_go_up_and_down(index):
    tree = random_tree(21, 10)
    x = tree.links[index % tree.size].at(ca.SX(0.7))
    rotation = np.array(ca.DM(ca.densify(x.rotation(ca.SX.eye(3)))))
    np.testing.assert_allclose(rotation @ rotation.T, np.eye(3), atol=1e-14)
    rng = np.random.default_rng(index)
    a, s = rng.normal(size=3), rng.normal(size=(3, 3))
    s = s + s.T
    np.testing.assert_allclose(np.array(ca.DM(x.up(ca.SX(a)))).ravel(), rotation @ a, atol=1e-14)
    np.testing.assert_allclose(np.array(ca.DM(x.down(ca.SX(a)))).ravel(), rotation.T @ a, atol=1e-14)
    np.testing.assert_allclose(np.array(ca.DM(x.up_symmetric(ca.SX(s)))), rotation @ s @ rotation.T, atol=1e-13)


def test_both_kinds_are_met():
    assert {link.revolute for link in random_tree(21, 10).links} == {True, False}
