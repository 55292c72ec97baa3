import math

import numpy as np
import pytest

from gerotor.errors import InputError, NoSolutionError
from gerotor.maths.pose import Pose
from gerotor.mechanics.frame import Frame
from gerotor.mechanics.joint import Joint
from gerotor.mechanics.loop import PointOnPoint, RevoluteLoop
from gerotor.mechanics.loop_assembly import assemble
from gerotor.mechanics.tree import Tree
from tests.mechanics.four_bar import four_bar_tree

HINGE = (RevoluteLoop("b", "tip", "pivot"),)
START = {"crank": math.pi / 3, "coupler": -0.6, "rocker": -1.6}


def test_independent_joint_keeps_its_start() -> None:
    made = assemble(four_bar_tree(), HINGE, START, ["crank"])
    assert made.q[0] == math.pi / 3
    assert (made.dependent, made.independent, len(made.rows)) == ((1, 2), (0,), 2)


def test_point_and_hinge_agree_on_a_plane() -> None:
    a = assemble(four_bar_tree(), HINGE, START, ["crank"]).q
    b = assemble(four_bar_tree(), (PointOnPoint("b", "tip", "pivot"),), START, ["crank"]).q
    np.testing.assert_allclose(a, b, atol=1e-12)


def test_dead_centre_of_the_named_joint() -> None:
    """Crank in line with the ground: the angle between coupler and rocker is stationary and cannot drive the loop."""
    q = assemble(four_bar_tree(), HINGE, {"crank": 0.0, "coupler": 0.6, "rocker": -1.6}, ["crank"]).q
    start = dict(zip(("crank", "coupler", "rocker"), q, strict=True))
    with pytest.raises(NoSolutionError, match="singular with rocker independent"):
        assemble(four_bar_tree(), HINGE, start, ["rocker"])
    assert 2 in assemble(four_bar_tree(), HINGE, start).dependent


def parallelogram(ratio: float = 1.0) -> Tree:
    joints = tuple(
        Joint(name=n, kind="revolute", parent=parent, placement=Pose.at(x))
        for n, parent, x in (("a", None, 0.0), ("b", "a", 1.0), ("c", "b", 2.0))
    )
    frames = (Frame("tip", "c", Pose.at(ratio)), Frame("pivot", None, Pose.at(2.0)))
    return Tree("parallelogram", joints, (0, 0, 0), frames=frames)


def test_flat_parallelogram_is_singular() -> None:
    """All links in line: the mechanism may fold either way."""
    with pytest.raises(NoSolutionError, match="singular start configuration"):
        assemble(parallelogram(), HINGE, {"a": 0.0, "b": 0.0, "c": math.pi}, None)


def test_impossible_assembly_names_the_gap() -> None:
    with pytest.raises(NoSolutionError, match=r"loop 'b' cannot be closed: .* m are left between tip and pivot"):
        assemble(parallelogram(9.0), HINGE, {"a": 0.3}, None)


def test_wrong_names_and_counts() -> None:
    with pytest.raises(InputError, match="unknown joint 'crnk'"):
        assemble(four_bar_tree(), HINGE, {"crnk": 0.0})
    with pytest.raises(NoSolutionError, match="leave 1 degrees of freedom"):
        assemble(four_bar_tree(), HINGE, START, [])

