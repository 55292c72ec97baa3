import casadi as ca
import numpy as np
import pytest

from gerotor.mechanics.denavit_hartenberg import DHRow, dh_joint
from gerotor.mechanics.kinematics import frame_pose
from gerotor.mechanics.tree import Tree


def craig(alpha, a, d, theta):
    ca_, sa, ct, st = np.cos(alpha), np.sin(alpha), np.cos(theta), np.sin(theta)
    return np.array([
        [ct, -st, 0, a], [st * ca_, ct * ca_, -sa, -sa * d], [st * sa, ct * sa, ca_, ca_ * d], [0, 0, 0, 1],
    ])


@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
def test_row_is_the_printed_matrix(kind):
    row, q = (0.3, 0.7, -0.4, 1.1), 0.6
    tree = Tree("t", (dh_joint("j", kind, DHRow(*row), parent=None, lower=-1, upper=1),), (0, 0, 0))
    pose = frame_pose(tree, "j", [q])
    alpha, a, d, theta = row
    expected = craig(alpha, a, d, theta + q) if kind == "revolute" else craig(alpha, a, d + q, theta)
    np.testing.assert_allclose(np.array(ca.DM(pose.rotation)), expected[:3, :3], atol=1e-15)
    np.testing.assert_allclose(np.array(ca.DM(pose.translation)).ravel(), expected[:3, 3], atol=1e-15)
    assert tree.joints[0].upper == 1
