import casadi as ca
import numpy as np
import pytest

from gerotor.mechanics.kinematics import position
from gerotor.mechanics.line_of_action import LineOfAction
from tests.mechanics.four_bar import four_bar_tree
from tests.mechanics.peers import numbers


def test_length_and_levers_are_the_derivative() -> None:
    tree, q = four_bar_tree(), ca.SX.sym("q", 3)
    line = LineOfAction("l", "anchor", "tip")
    length, lever = line.length(tree, q)
    at = [0.7, -0.3, 1.1]
    exact = ca.Function("f", [q], [ca.jacobian(length, q), lever, length, position(tree, "tip", q)])(at)
    np.testing.assert_allclose(numbers(exact[0]), numbers(exact[1]), atol=1e-12)
    assert float(exact[2]) == pytest.approx(float(np.linalg.norm(numbers(exact[3]).ravel() - [-1, 0, 0])))


def test_isosceles_triangle_of_the_crank() -> None:
    """s = 2 cos(theta / 2), ds/dtheta = -sin(theta / 2)."""
    length, lever = LineOfAction("l", "anchor", "eye").length(four_bar_tree(), [1.0, 0.2, 0.3])
    assert float(length) == pytest.approx(2 * np.cos(0.5))
    assert numbers(lever).ravel() == pytest.approx([-np.sin(0.5), 0, 0])
