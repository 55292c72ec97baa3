import casadi as ca
import numpy as np
import pytest

from gerotor.mechanics.inverse_kinematics_step import TARGET_SIZE, residual, step_function
from gerotor.mechanics.kinematics import frame_pose
from tests.mechanics.kim_arm import kim_arm

ARM = kim_arm()
WANTED = np.array([0.2, 0.2, -0.4, -0.5, 0.3, 0.1])


def target(task):
    pose = frame_pose(ARM, "tcp", WANTED)
    rotation = np.array(ca.DM(pose.rotation))
    rest = {"position": [], "direction": rotation[:, 2], "pose": rotation.ravel()}[task]
    return np.concatenate([np.array(ca.DM(pose.translation)).ravel(), rest])


@pytest.mark.parametrize("task", TARGET_SIZE)
def test_jacobian_is_the_slope_of_the_residual_at_the_target(task):
    q = ca.SX.sym("q", 6)
    error, jac = residual(ARM, "tcp", q, ca.SX(target(task)), task=task, axis=(0, 0, 1))
    e, ours, exact = ca.Function("f", [q], [error, jac, ca.jacobian(error, q)])(WANTED)
    np.testing.assert_allclose(np.array(e), 0, atol=1e-14)
    np.testing.assert_allclose(np.array(ours), np.array(exact), atol=1e-7)


@pytest.mark.parametrize("task", TARGET_SIZE)
def test_the_residual_falls_quadratically(task):
    step = step_function(ARM, "tcp", (0, 0, 1), task)
    q, sizes = WANTED + 0.01, []
    for _ in range(4):
        q, error = step(q, target(task), 1e-10)
        sizes.append(float(ca.norm_2(error)))
    assert sizes[1] < 5 * sizes[0] ** 2
    assert sizes[3] < 1e-12


def test_a_joint_at_its_end_stays_while_pushed_out():
    step = step_function(ARM, "tcp", (0, 0, 1), "position")
    q = np.array([0, 0.4, 0, 0, 0, 0])
    assert float(step(q, [0, 9, 0], 1e-10)[0][1]) == 0.4
    assert float(step(q, [0, 3.3, 0], 1e-10)[0][1]) < 0.4
