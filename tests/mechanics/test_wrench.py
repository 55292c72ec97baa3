import casadi as ca
import numpy as np
import pytest

from gerotor.mechanics.kinematics import position
from gerotor.mechanics.wrench import generalised_force
from tests.mechanics.peers import random_tree


@pytest.mark.parametrize("seed", range(5))
def test_virtual_work_of_a_force(seed):
    """tau . dq = f . dp, with dp by differences."""
    tree = random_tree(seed, 8)
    rng = np.random.default_rng(seed)
    q, dq = rng.normal(size=(2, tree.size))
    force = rng.normal(size=3)
    tau = np.array(ca.DM(generalised_force(tree, "tip", q, force))).ravel()
    h = 1e-5
    ends = [np.array(ca.DM(position(tree, "tip", q + s * h * dq))).ravel() for s in (1, -1)]
    assert tau @ dq == pytest.approx(force @ (ends[0] - ends[1]) / (2 * h), rel=1e-7, abs=1e-8)


def test_a_couple_of_forces_is_a_moment():
    tree = random_tree(2, 8)
    q = np.random.default_rng(1).normal(size=tree.size)
    arm, force = np.array([0.3, -0.2, 0.5]), np.array([1.0, 2.0, -3.0])
    moment = generalised_force(tree, "tip", q, (0, 0, 0), np.cross(arm, force))
    # a force moved off the origin by `arm` equals the force at the origin and the moment
    from gerotor.maths.pose import Pose
    from gerotor.mechanics.frame import Frame
    from gerotor.mechanics.kinematics import frame_pose
    from gerotor.mechanics.tree import Tree

    tip = tree.frames[0]
    local = np.array(ca.DM(frame_pose(tree, "tip", q).rotation)).T @ arm
    far = Frame("far", tip.joint, tip.placement @ Pose(translation=local))
    wider = Tree("t", tree.joints, (0, 0, 0), frames=(tip, far))
    difference = generalised_force(wider, "far", q, force) - generalised_force(wider, "tip", q, force)
    np.testing.assert_allclose(np.array(ca.DM(difference)), np.array(ca.DM(moment)), atol=1e-12)
