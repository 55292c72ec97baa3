import casadi as ca
import numpy as np
import pytest

from gerotor.errors import WiringError
from gerotor.mechanics.kinematics import frame_pose, frame_velocity, jacobian, position
from tests.mechanics.kim_arm import kim_arm
from tests.mechanics.peers import random_tree


def numbers(expression):
    return np.array(ca.DM(ca.densify(expression)))


def test_frames_of_the_published_arm_at_zero():
    tree, zero = kim_arm(), np.zeros(6)
    reach = [0, 1.329, 1.329, 1.831, 2.313, 3.2421]
    axes = [(0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 0, 0), (0, 0, 1), (0, 1, 0)]
    for k in range(6):
        pose = frame_pose(tree, f"j{k + 1}", zero)
        np.testing.assert_allclose(numbers(pose.translation).ravel(), [0, reach[k], 0], atol=1e-14)
        np.testing.assert_allclose(numbers(pose.rotation)[:, 2], axes[k], atol=1e-14)
    columns = [(-3.2421, 0, 0), (0, 1, 0), (0, 0, 1.9131), (0, 0, 1.4111), (-0.9291, 0, 0), (0, 0, 0)]
    np.testing.assert_allclose(numbers(jacobian(tree, "tcp", zero))[:3].T, columns, atol=1e-14)


@pytest.mark.parametrize("seed", range(5))
def test_jacobian_is_the_derivative_of_the_pose(seed):
    tree = random_tree(seed, 9)
    q, v = ca.SX.sym("q", tree.size), ca.SX.sym("v", tree.size)
    pose = frame_pose(tree, "tip", q)
    turning = ca.reshape(ca.jacobian(ca.vec(pose.rotation), q) @ v, 3, 3) @ pose.rotation.T
    by_hand = ca.vertcat(ca.jacobian(position(tree, "tip", q), q) @ v, turning[2, 1], turning[0, 2], turning[1, 0])
    f = ca.Function("f", [q, v], [by_hand, ca.vertcat(*frame_velocity(tree, "tip", q, v))])
    expected, ours = f(*np.random.default_rng(seed).normal(size=(2, tree.size)))
    np.testing.assert_allclose(np.array(ours), np.array(expected), atol=1e-12)


def test_unknown_frame():
    with pytest.raises(WiringError, match="arm: unknown frame 'tpc'; known: tcp"):
        position(kim_arm(), "tpc", np.zeros(6))
