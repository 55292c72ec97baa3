"""A URDF file as a machine, and hydraulics on top of it."""

from pathlib import Path

import casadi as ca
import numpy as np
import pytest

import gerotor
from gerotor.errors import InputError
from gerotor.machines import load_machine
from gerotor.mechanics.kinematics import frame_pose
from gerotor.mechanics.mass_matrix import mass_matrix
from gerotor.mechanics.urdf import tree_from_urdf
from gerotor.simulation.scenario import prepare, read_scenario
from tests.mechanics.test_urdf import URDF

EXCAVATOR = Path(gerotor.__file__).parent / "examples" / "excavator"


def test_the_machine_is_the_tree_of_the_file(tmp_path: Path) -> None:
    """Turned joints, turned inertias, a branch on the base: mass matrix and tool as the tree itself has them."""
    text = URDF.replace('<parent link="upper"/><child link="wheel"/>', '<parent link="base"/><child link="wheel"/>')
    path = tmp_path / "small arm.urdf"
    path.write_text(text.replace('rpy="0 0.5 0"', 'rpy="0.4 1.5707963267948966 0.2"'))
    plain, made = tree_from_urdf(path), load_machine(path).tree
    assert made.names == plain.names
    q = np.random.default_rng(0).normal(size=made.size)
    for what in (mass_matrix, lambda t, q: frame_pose(t, "tool", q).translation, lambda t, q: frame_pose(t, "tool", q).rotation):
        np.testing.assert_allclose(*(np.array(ca.DM(ca.densify(what(t, q)))) for t in (made, plain)), atol=1e-12)
    assert [(j.lower, j.upper, j.velocity) for j in made.moving] == [(j.lower, j.upper, j.velocity) for j in plain.moving]


def test_a_machine_without_drives_takes_joint_forces(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    path.write_text(URDF)
    assert load_machine(path).ode().inputs.names == ["shoulder.tau", "rail.tau", "spin.tau"]


def test_the_excavator_stands_and_lifts() -> None:
    """Held at rest while the valve is shut, up by the oil that a half sine lets in."""
    machine = load_machine(EXCAVATOR / "excavator.yaml")
    assert machine.ode().inputs.names == ["boom_joint.u", "arm_joint.u", "bucket_joint.u"]
    run = prepare(read_scenario(EXCAVATOR / "dig.yaml"), EXCAVATOR).run()
    q = run["arm.q.boom_joint"]
    assert abs(q[4] - q[0]) < 1e-6
    assert 0.05 < q.max() - q[0] < 0.3
    assert np.ptp(run["arm.q.arm_joint"]) < 0.01


def test_names_that_a_machine_cannot_have_are_told(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    path.write_text(URDF.replace('name="spin"', 'name="spin joint"'))
    with pytest.raises(InputError, match=r"arm\.urdf: joints\.\d\.name = 'spin joint'"):
        load_machine(path)
