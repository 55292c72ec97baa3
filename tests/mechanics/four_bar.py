"""The planar four-bar of [khadim2021] and two other loops for tests."""

import math

from gerotor.maths.pose import Pose
from gerotor.mechanics.body import Body
from gerotor.mechanics.closed_multibody import ClosedMultibody
from gerotor.mechanics.frame import Frame
from gerotor.mechanics.joint import Joint
from gerotor.mechanics.line_of_action import LineOfAction
from gerotor.mechanics.loop import PointOnPoint, RevoluteLoop
from gerotor.mechanics.tree import Tree

LENGTHS, MASSES = (2.0, 8.0, 5.0), (100.0, 400.0, 250.0)


def beam(mass: float, length: float) -> Body:
    across = mass * length**2 / 12
    return Body(mass, (length / 2, 0, 0), (1e-9, across, across))


def four_bar_tree(gravity: float = 9.81) -> Tree:
    names = ("crank", "coupler", "rocker")
    joints = tuple(
        Joint(name=n, kind="revolute", parent=names[k - 1] if k else None,
              placement=Pose.at(LENGTHS[k - 1]) if k else Pose(), body=beam(MASSES[k], LENGTHS[k]))
        for k, n in enumerate(names)
    )
    frames = (
        Frame("tip", "rocker", Pose.at(LENGTHS[2])), Frame("pivot", None, Pose.at(10.0)), Frame("p2", "rocker"),
        Frame("eye", "crank", Pose.at(1.0)), Frame("anchor", None, Pose.at(-1.0)),
    )
    return Tree("four-bar", joints, (0, -gravity, 0), frames=frames)


def four_bar(gravity: float = 9.81, angle: float = math.pi / 3, loop=RevoluteLoop, independent=("crank",), **more):
    return ClosedMultibody(
        tree=four_bar_tree(gravity), loops=(loop("b", "tip", "pivot"),),
        start={"crank": angle, "coupler": 0.4 - angle, "rocker": -1.6}, independent=independent,
        lines=(LineOfAction("cylinder", "anchor", "eye"),), positions=("p2",), **more,
    )


__all__ = ["PointOnPoint", "RevoluteLoop", "four_bar", "four_bar_tree"]
