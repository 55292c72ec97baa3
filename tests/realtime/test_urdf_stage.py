"""A robot from a URDF file, live: it follows its levers, and its shapes are where the file puts them."""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gerotor.errors import InputError
from gerotor.realtime.session import Session
from gerotor.realtime.stage import Skin
from gerotor.realtime.stages import stage

ROBOT = """<robot name="two">
  <material name="blue"><color rgba="0 0 1 1"/></material>
  <link name="base"><visual><geometry><cylinder radius="0.1" length="0.2"/></geometry></visual></link>
  <link name="upper">
    <visual><origin xyz="0.5 0 0"/><geometry><mesh filename="package://two/upper.stl" scale="0.001 0.001 0.001"/></geometry>
      <material name="blue"/></visual>
    <inertial><origin xyz="0.5 0 0"/><mass value="4"/><inertia ixx="0.01" iyy="0.4" izz="0.4" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <link name="fore">
    <visual><geometry><sphere radius="0.05"/></geometry></visual>
    <inertial><origin xyz="0.3 0 0"/><mass value="2"/><inertia ixx="0.01" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="200" velocity="1"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="fore"/><origin xyz="1 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="100" velocity="1"/></joint>
</robot>"""


def wait(condition: Callable[[], object], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    trimesh = pytest.importorskip("trimesh")
    pytest.importorskip("yourdfpy")
    trimesh.creation.box(extents=(1000, 100, 80)).export(tmp_path / "upper.stl")
    (tmp_path / "two.urdf").write_text(ROBOT)
    return tmp_path / "two.urdf"


def test_levers_move_it_and_torques_hold_gravity(robot: Path) -> None:
    with Session(str(robot), stage(str(robot)), rate=200) as session:
        session.run.scale = 10.0
        wait(lambda: session.run.time > 1)
        row = session.row()
        assert row is not None
        hold = -9.81 * np.array([4 * 0.5 + 2 * 1.3, 2 * 0.3])
        np.testing.assert_allclose(session.values(row, ("shoulder.tau", "elbow.tau")), hold, rtol=1e-3)
        session.levers({"operator.lever.elbow": -1.0})
        wait(lambda: session.run.time > 4)
        row = session.row()
        assert row is not None
        off = session.values(row, ("ref.q.shoulder", "ref.q.elbow")) - session.values(row, ("arm.q.shoulder", "arm.q.elbow"))
        assert np.abs(off).max() < 1e-3 and row[session.index["arm.q.elbow"]] < -0.4
        session.run.emergency_stop()
        at = session.run.time
        wait(lambda: session.run.time > at + 3)
        row = session.row()
        assert row is not None and np.abs(session.values(row, ("arm.v.shoulder", "arm.v.elbow"))).max() < 1e-3


def test_shapes_and_meshes_in_their_links(robot: Path) -> None:
    skins = {s.name: s for s in stage(str(robot)).solids if isinstance(s, Skin)}
    assert {n: s.frame for n, s in skins.items()} == {"base_0": None, "upper_0": "shoulder", "fore_0": "elbow"}
    upper = skins["upper_0"]
    np.testing.assert_allclose([upper.vertices.min(0), upper.vertices.max(0)], [[0, -0.05, -0.04], [1, 0.05, 0.04]], atol=1e-6)
    assert upper.colour == (0, 0, 255)


def test_a_missing_mesh_is_said_and_left_out(robot: Path) -> None:
    (robot.parent / "upper.stl").unlink()
    moved = robot.with_name("other.urdf")
    robot.rename(moved)
    with pytest.warns(UserWarning, match="a shape of link 'upper' is not drawn"):
        assert len(stage(str(moved)).solids) == 2


def test_a_link_without_mass_is_refused(robot: Path) -> None:
    heavy = '<mass value="2"/><inertia ixx="0.01" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/>'
    robot.write_text(ROBOT.replace(heavy, '<mass value="0"/>'))
    with pytest.raises(InputError, match="neither mass nor inertia"):
        stage(str(robot.rename(robot.with_name("light.urdf"))))


def test_a_machine_file_that_extends_a_urdf_is_drawn_with_its_shapes(robot: Path) -> None:
    file = robot.with_name("two.yaml")
    file.write_text("name: two-driven\ntitle: the same\nextends: two.urdf\n")
    made = stage(str(file), "valves")
    assert {s.frame for s in made.solids} == {None, "shoulder", "elbow"}
    assert [lever.input for lever in made.levers] == ["shoulder.tau", "elbow.tau"]
