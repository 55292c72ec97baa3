import casadi as ca
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gerotor.errors import InputError, NoSolutionError, ParameterError, WiringError
from gerotor.maths.pose import Pose
from gerotor.mechanics.inverse_kinematics import InverseKinematics
from gerotor.mechanics.joint import Joint
from gerotor.mechanics.kinematics import frame_pose
from gerotor.mechanics.tree import Tree
from tests.mechanics.kim_arm import RANGES, kim_arm

ARM = kim_arm()
IK = InverseKinematics(ARM, "tcp")
LEVEL = np.array(ca.DM(frame_pose(ARM, "tcp", np.zeros(6)).rotation))
LOW, HIGH = np.array(RANGES).T

_q = ca.SX.sym("q", 6)
_pose = frame_pose(ARM, "tcp", _q)
FK = ca.Function("fk", [_q], [_pose.translation, _pose.rotation])


def pitched(degrees):
    return Rotation.from_euler("x", degrees, degrees=True).as_matrix() @ LEVEL


def circle(count):
    turn = np.linspace(0, 2.5 * np.pi, count)
    return np.column_stack([0.3 * np.cos(turn), np.full(count, 3.0), -0.9 + 0.3 * np.sin(turn)])


def check(q, positions, rotation=None, axis=None):
    assert np.all(q >= LOW)
    assert np.all(q <= HIGH)
    for k in range(0, len(q), max(1, len(q) // 200)):
        p, r = (np.array(y) for y in FK(q[k]))
        assert np.abs(p.ravel() - positions[k]).max() <= 1e-9
        if rotation is not None:
            assert Rotation.from_matrix(r @ rotation.T).magnitude() <= 1e-9
        if axis is not None:
            assert np.abs(r[:, 2] - axis).max() <= 1e-9


def test_circle_with_a_pitched_tool():
    positions = circle(2000)
    q = IK.along(positions, rotations=pitched(-40))
    check(q, positions, rotation=pitched(-40))
    assert np.abs(np.diff(q, axis=0)).max() < 0.01
    np.testing.assert_allclose(np.rad2deg(q.max(axis=0))[[0, 2, 3, 4, 5]], [7.5, 38, -4, 5.7, 4.8], atol=0.5)
    np.testing.assert_allclose([q[:, 1].min(), q[:, 1].max()], [0.109, 0.193], atol=5e-4)


def test_straight_cut_moves_only_the_slide():
    count = 800
    positions = np.column_stack([np.zeros(count), 2.57 + np.linspace(0, 0.08, count), np.full(count, -1.445)])
    q = IK.along(positions, rotations=pitched(-60))
    check(q, positions, rotation=pitched(-60))
    np.testing.assert_allclose(np.rad2deg(q[:, 2:4]), np.tile([-26.367, -33.633], (count, 1)), atol=1e-3)
    np.testing.assert_allclose([q[0, 1], q[-1, 1]], [0.08568, 0.16568], atol=1e-5)
    np.testing.assert_allclose(q[:, [0, 4, 5]], 0, atol=1e-9)


def test_positions_and_directions_alone():
    positions = circle(300)
    axis = pitched(-40)[:, 2]
    check(IK.along(positions), positions)
    check(IK.along(positions, directions=axis), positions, axis=axis)


@pytest.mark.parametrize("seed", range(10))
def test_reachable_poses_are_found_from_anywhere(seed):
    rng = np.random.default_rng(seed)
    p, r = (np.array(y) for y in FK(LOW + (HIGH - LOW) * rng.uniform(0.05, 0.95, size=6)))
    q = IK.solve(Pose(r, p), start=rng.uniform(LOW, HIGH))
    check(q[None], p.T, rotation=r)


def test_solve_by_direction():
    q = IK.solve((0.1, 2.9, -0.8), direction=(0, 2, -2))
    check(q[None], [(0.1, 2.9, -0.8)], axis=np.array([0, 1, -1]) / np.sqrt(2))


def test_out_of_reach_is_told():
    words = r"arm: target \(0, 9, 0\) m is out of reach of 'tcp': 5\.36 m remain, j2 at its upper end 0\.4 m"
    with pytest.raises(NoSolutionError, match=words):
        IK.solve((0, 9, 0))
    positions = np.column_stack([np.zeros(500), np.linspace(2.6, 5, 500), np.full(500, -0.9)])
    with pytest.raises(NoSolutionError, match=r"target 17\d .* j2 at its upper end 0.4 m"):
        IK.along(positions)
    with pytest.raises(NoSolutionError, match=r"m and .* rad remain"):
        IK.solve(Pose(pitched(180), (0, 3.5, 0)), restarts=3)


def test_range_and_not_only_reach_counts():
    crane = Tree("t", (Joint(name="a", kind="prismatic", lower=0.0, upper=1.0),), (0, 0, 0))
    ik = InverseKinematics(crane, "a")
    np.testing.assert_allclose(ik.solve((0, 0, 0.25)), [0.25], atol=1e-9)
    with pytest.raises(NoSolutionError, match=r"0\.5 m remain, a at its upper end 1 m"):
        ik.solve((0, 0, 1.5))


def test_wrong_input_is_told():
    with pytest.raises(InputError, match="finite numbers"):
        IK.solve((0, np.nan, 0))
    with pytest.raises(InputError, match="N x 3 positions"):
        IK.solve((0, 1))
    with pytest.raises(InputError, match="takes one target, got 2"):
        IK.solve([(0, 1, 2), (0, 1, 2)])
    with pytest.raises(InputError, match="not both"):
        IK.along(circle(5), rotations=LEVEL, directions=(0, 0, 1))
    with pytest.raises(InputError, match="needs 6 finite joint positions"):
        IK.solve((0, 3, 0), start=[0, 0])
    with pytest.raises(WiringError, match="unknown frame"):
        InverseKinematics(ARM, "nose")
    length = ca.SX.sym("length")
    stick = Tree("t", (Joint(name="a", kind="revolute", placement=Pose.at(length)),), (0, 0, 0))
    with pytest.raises(ParameterError, match="t: length in the geometry"):
        InverseKinematics(stick, "a")
