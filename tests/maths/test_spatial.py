import casadi as ca
import numpy as np
import pinocchio as pin

from gerotor.maths import spatial
from gerotor.maths.pose import Pose

RNG = np.random.default_rng(3)
SWAP = np.r_[3:6, 0:3]  # Pinocchio puts the linear part first


def numbers(expression):
    return np.array(ca.DM(expression))


def random_pose():
    placement = pin.SE3.Random()
    return placement, Pose(placement.rotation, placement.translation)


def test_transforms_against_pinocchio():
    theirs, ours = random_pose()
    np.testing.assert_allclose(numbers(spatial.motion_transform(ours)), theirs.action[np.ix_(SWAP, SWAP)], atol=1e-14)
    np.testing.assert_allclose(numbers(spatial.force_transform(ours)), theirs.dualAction[np.ix_(SWAP, SWAP)], atol=1e-14)


def test_inertia_against_pinocchio():
    inertia = pin.Inertia.Random()
    ours = spatial.spatial_inertia(inertia.mass, inertia.lever, inertia.inertia)
    np.testing.assert_allclose(numbers(ours), inertia.matrix()[np.ix_(SWAP, SWAP)], atol=1e-13)


def test_crosses_against_pinocchio():
    v, m, f = RNG.normal(size=(3, 6))
    motion = pin.Motion(v[SWAP]).cross(pin.Motion(m[SWAP])).vector[SWAP]
    force = pin.Motion(v[SWAP]).cross(pin.Force(f[SWAP])).vector[SWAP]
    np.testing.assert_allclose(numbers(spatial.motion_cross(v)) @ m, motion, atol=1e-14)
    np.testing.assert_allclose(numbers(spatial.force_cross(v)) @ f, force, atol=1e-14)


def test_second_moment_of_points():
    points, masses = RNG.normal(size=(6, 3)), RNG.uniform(1, 2, size=6)
    second = (masses[:, None] * points).T @ points
    inertia = sum(m * (p @ p * np.eye(3) - np.outer(p, p)) for m, p in zip(masses, points, strict=True))
    np.testing.assert_allclose(numbers(spatial.second_moment(inertia)), second, atol=1e-13)
    np.testing.assert_allclose(numbers(spatial.rotational_inertia(second)), inertia, atol=1e-13)


def test_outer_sum():
    a, b = RNG.normal(size=(2, 3))
    np.testing.assert_allclose(numbers(spatial.outer_sum(ca.SX(a), ca.SX(b))), np.outer(a, b) + np.outer(b, a), atol=1e-15)
