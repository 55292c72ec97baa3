import casadi as ca
import numpy as np
import pinocchio as pin
import pytest

from gerotor.errors import InputError
from gerotor.mechanics.inverse_dynamics import inverse_dynamics
from gerotor.mechanics.kinematics import frame_pose
from gerotor.mechanics.mass_matrix import mass_matrix
from gerotor.mechanics.urdf import tree_from_urdf

INERTIA = '<inertia ixx="0.3" ixy="0.02" ixz="-0.01" iyy="0.4" iyz="0.03" izz="0.25"/>'
URDF = f"""<?xml version="1.0"?>
<robot name="small">
  <link name="base"><inertial><mass value="9"/>{INERTIA}</inertial></link>
  <link name="upper"><inertial><origin xyz="0.1 0.2 0.3" rpy="0.3 -0.2 0.5"/><mass value="4"/>{INERTIA}</inertial></link>
  <link name="plate"><inertial><origin xyz="0 0.1 0"/><mass value="1.5"/>{INERTIA}</inertial></link>
  <link name="slider"><inertial><mass value="2"/>{INERTIA}</inertial></link>
  <link name="wheel"><inertial><mass value="0.7"/>{INERTIA}</inertial></link>
  <link name="tool"/>
  <joint name="shoulder" type="revolute"><origin xyz="0 0 0.5" rpy="0.1 0.2 0.3"/><parent link="base"/><child link="upper"/>
    <axis xyz="0 1 1"/><limit lower="-1.5" upper="1" effort="100" velocity="2"/></joint>
  <joint name="bolt" type="fixed"><origin xyz="0.3 0 0" rpy="0 0.5 0"/><parent link="upper"/><child link="plate"/></joint>
  <joint name="rail" type="prismatic"><origin xyz="0 0 0.2"/><parent link="plate"/><child link="slider"/>
    <axis xyz="0 0 -1"/><limit lower="0" upper="0.4" effort="0" velocity="0"/></joint>
  <joint name="spin" type="continuous"><parent link="upper"/><child link="wheel"/></joint>
  <joint name="flange" type="fixed"><origin xyz="0 0 0.1"/><parent link="slider"/><child link="tool"/></joint>
</robot>"""


def write(tmp_path, text):
    path = tmp_path / "robot.urdf"
    path.write_text(text)
    return path


def test_same_dynamics_as_pinocchio_reads(tmp_path):
    path = write(tmp_path, URDF)
    tree = tree_from_urdf(path)
    model = pin.buildModelFromUrdf(str(path))
    data = model.createData()
    assert sorted(tree.names) == ["rail", "shoulder", "spin"]
    q, v, a = np.random.default_rng(0).normal(size=(3, 3))
    full = pin.neutral(model)
    order = [model.joints[model.getJointId(n)].idx_v for n in tree.names]
    vq, va = np.zeros(3), np.zeros(3)
    vq[order], va[order] = v, a
    for k, name in enumerate(tree.names):
        joint = model.joints[model.getJointId(name)]
        full[joint.idx_q : joint.idx_q + joint.nq] = [np.cos(q[k]), np.sin(q[k])] if joint.nq == 2 else [q[k]]
    tau = np.array(ca.DM(inverse_dynamics(tree, q, v, a))).ravel()
    np.testing.assert_allclose(tau, pin.rnea(model, data, full, vq, va)[order], rtol=1e-9, atol=1e-9)
    m = pin.crba(model, data, full)
    m = np.triu(m) + np.triu(m, 1).T
    np.testing.assert_allclose(np.array(ca.DM(ca.densify(mass_matrix(tree, q)))), m[np.ix_(order, order)], rtol=1e-9, atol=1e-9)
    pin.framesForwardKinematics(model, data, full)
    placement = data.oMf[model.getFrameId("tool")]
    pose = frame_pose(tree, "tool", q)
    np.testing.assert_allclose(np.array(ca.DM(pose.translation)).ravel(), placement.translation, atol=1e-12)
    np.testing.assert_allclose(np.array(ca.DM(pose.rotation)), placement.rotation, atol=1e-12)


def test_limits(tmp_path):
    joints = {j.name: j for j in tree_from_urdf(write(tmp_path, URDF)).joints}
    shoulder, rail, spin = joints["shoulder"], joints["rail"], joints["spin"]
    assert (shoulder.lower, shoulder.upper, shoulder.effort, shoulder.velocity) == (-1.5, 1, 100, 2)
    assert (rail.upper, rail.effort) == (0.4, np.inf)
    assert (spin.lower, spin.upper) == (-np.inf, np.inf)


@pytest.mark.parametrize(("old", "new", "words"), [
    ("</robot>", "", "not a readable URDF file"),
    (URDF, "<html/>", "expected <robot name=...> at the top, got <html>"),
    (URDF, '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot name="&x;"/>', "external entity"),
    ('name="small"', "", "expected <robot name=...>"),
    ('<link name="tool"/>', "<link/>", "a <link> is named ''"),
    ('joint name="spin"', 'joint name="a&#10;b"', "printable"),
    ('<parent link="slider"/>', "", "joint 'flange' needs a <parent link=...>"),
    ('<mass value="4"/>', "", "link 'upper' has an <inertial> without <mass>"),
    ('<mass value="4"/>', '<mass value="nan"/>', "body.mass = nan kg: must be a finite number"),
    ('xyz="0 0 0.5"', 'xyz="nan 0 0"', "pose"),
    ('type="continuous"', 'type="floating"', "joint 'spin' is 'floating': allowed are revolute"),
    ('<parent link="slider"/>', '<parent link="ghost"/>', "unknown link 'ghost'"),
    ('<mass value="4"/>', '<mass value="-4"/>', "link 'upper': body.mass = -4 kg: must be at least 0"),
    ('ixx="0.3"', 'ixx="30"', "principal moments"),
    ('<mass value="4"/>', '<mass value="heavy"/>', "not a readable URDF file"),
    ('<child link="wheel"/>', '<child link="upper"/>', "root links"),
    ('<axis xyz="0 1 1"/>', '<axis xyz="0 0 0"/>', "shoulder.axis"),
    ('lower="-1.5"', 'lower="3"', "at most upper"),
    ('<axis xyz="0 0 -1"/>', '<axis xyz="0 0 -1"/><mimic joint="shoulder"/>', "joint 'rail' mimics 'shoulder'"),
])
def test_bad_files_are_told_in_one_line(tmp_path, old, new, words):
    path = write(tmp_path, URDF.replace(old, new))
    with pytest.raises(InputError, match=words) as error:
        tree_from_urdf(path)
    assert "\n" not in str(error.value)
    assert "robot.urdf" in str(error.value)


@pytest.mark.parametrize("text", ["", "not xml", "<a/>", "<robot/>", '<robot name="r"><link name="a"/><link name="b"/></robot>'])
def test_files_that_are_no_robot(tmp_path, text):
    with pytest.raises(InputError, match=r"robot\.urdf"):
        tree_from_urdf(write(tmp_path, text))


def test_missing_file():
    with pytest.raises(InputError, match=r"nowhere\.urdf: no such file"):
        tree_from_urdf("nowhere.urdf")
