import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.errors import InputError, NoSolutionError
from gerotor.mechanics.elbow_arm import ElbowArm
from gerotor.mechanics.inverse_kinematics import InverseKinematics
from gerotor.mechanics.kinematics import frame_pose
from tests.reduction import rx90

ARM = ElbowArm(0.42, 0.45, 0.45, 0.335)
angle = st.floats(-3, 3)


Q = ca.SX.sym("q", 6)
FORWARD = ca.Function("forward", [Q], [frame_pose(rx90.tree(), "tip", Q).translation, frame_pose(rx90.tree(), "tip", Q).rotation])


def pose(q):
    p, r = FORWARD(q)
    return np.array(p).ravel(), np.array(r)


def test_start_and_end_of_the_published_kind_of_path() -> None:
    start, end = ARM.solve((0.5, -0.6, 0.25), rx90.DOWN), ARM.solve((0.5, 0.65, 0.25), rx90.DOWN)
    assert np.degrees(start) == pytest.approx([-50.1944, 50.5647, 55.0127, 0, 74.4226, -50.1944], abs=5e-5)
    assert np.degrees(end) == pytest.approx([52.4314, 56.9714, 43.3047, 0, 79.7239, 52.4314], abs=5e-5)


@given(st.lists(angle, min_size=6, max_size=6), st.booleans(), st.sampled_from([-1, 1]), st.sampled_from([-1, 1]))
def test_forward_kinematics_of_every_branch_returns_the_pose(q, turned, elbow, wrist) -> None:
    p, r = pose(q)
    arm = ElbowArm(0.42, 0.45, 0.45, 0.335, turned=turned, elbow=elbow, wrist=wrist)
    p_again, r_again = pose(arm.solve(p, r))
    assert p_again == pytest.approx(p, abs=1e-8)
    assert np.abs(r_again - r).max() < 1e-7


def test_straight_wrist_keeps_the_asked_q4() -> None:
    p, r = pose([0.3, 0.5, 0.7, 0.2, 0.0, 0.4])
    q = ARM.solve(p, r, q4=0.1)
    assert q[3] == 0.1
    assert q[5] == pytest.approx(0.5)


def test_numeric_inverse_kinematics_agrees() -> None:
    targets = np.array([[0.5, y, 0.25] for y in np.linspace(-0.6, 0.65, 30)])
    closed = ARM.along(targets, rx90.DOWN)
    numeric = InverseKinematics(rx90.tree(), "tip").along(targets, closed[0], rotations=rx90.DOWN)
    assert np.abs(numeric - closed).max() < 1e-8


def test_out_of_reach_and_non_finite_targets() -> None:
    with pytest.raises(NoSolutionError, match=r"wrist centre .* from the shoulder: must be within 0 to 0.9 m"):
        ARM.solve((2, 0, 0.3), rx90.DOWN)
    with pytest.raises(InputError, match="finite"):
        ARM.solve((np.nan, 0, 0.3), rx90.DOWN)
