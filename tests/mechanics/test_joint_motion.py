import numpy as np
import pytest

from gerotor.control.line import line
from gerotor.errors import InputError, NoSolutionError
from gerotor.mechanics.elbow_arm import ElbowArm
from gerotor.mechanics.joint_motion import JointMotion
from gerotor.mechanics.kinematics import position
from tests.reduction import rx90


def test_velocity_and_acceleration_are_the_derivatives_of_the_position() -> None:
    motion = rx90.motion()
    t, h = np.array([0.1, 1.3, 3.7, 5.1]), 1e-4
    q, v, a = motion.at(t)
    before, after = motion.at(t - h), motion.at(t + h)
    assert v == pytest.approx((after[0] - before[0]) / (2 * h), abs=1e-6)
    assert a == pytest.approx((after[1] - before[1]) / (2 * h), abs=1e-5)
    for k, time in enumerate(t):
        tip = np.array(position(rx90.tree(), "tip", q[k]).nonzeros(), dtype=float)
        assert tip == pytest.approx(motion.path.position(time), abs=1e-12)


def test_velocity_at_a_quarter_and_reversal_at_600_mm() -> None:
    motion = rx90.motion()
    _, v, _ = motion.at([5.25 / 4])
    assert v[0] == pytest.approx([0.3656, -0.2458, 0.3757, 0, -0.1299, 0.3656], abs=5e-5)
    s = motion.path.profile
    times = np.linspace(2.4, 2.7, 301)
    _, v, _ = motion.at(times)
    for joint in (1, 2, 4):
        k = int(np.argmax(np.diff(np.sign(v[:, joint])) != 0))
        assert s.position(times[k]) == pytest.approx(0.6, abs=1e-3)


def test_one_sided_accelerations_at_a_corner() -> None:
    motion = rx90.motion()
    after, before = motion.at([0.25])[2], motion.at([0.25], left=True)[2]
    assert np.abs(after - before).max() > 0.5
    assert before == pytest.approx(motion.at([0.25 - 1e-9])[2], abs=1e-6)


def test_singular_pose_and_wrong_times() -> None:
    ik = ElbowArm(0.42, 0.45, 0.45, 0.335)
    through_axis = line((0.5, 0.0, 1.0), (-0.5, 0.0, 1.0), speed=0.25, acceleration=1.0)
    motion = JointMotion(rx90.tree(), "tip", through_axis, lambda p: ik.along(p, np.eye(3)))
    with pytest.raises(NoSolutionError, match="singular pose of 'tip'"):
        motion.at(np.linspace(0, motion.duration, 101))
    with pytest.raises(InputError, match="finite"):
        rx90.motion().at([np.nan])


def test_zero_length_path_rests() -> None:
    ik = ElbowArm(0.42, 0.45, 0.45, 0.335)
    stay = line((0.5, -0.6, 0.25), (0.5, -0.6, 0.25), speed=0.25, acceleration=1.0)
    motion = JointMotion(rx90.tree(), "tip", stay, lambda p: ik.along(p, rx90.DOWN))
    q, v, a = motion.at([0.0, 1.0])
    assert motion.duration == 0
    assert np.abs(q[0] - q[1]).max() == np.abs(v).max() == np.abs(a).max() == 0
