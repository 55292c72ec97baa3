"""Trees from URDF files: joints, ranges, masses. Shapes are for the live page alone (realtime/urdf_stage.py)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from os.path import isfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from gerotor.errors import GerotorError, InputError
from gerotor.maths.pose import Pose
from gerotor.mechanics.body import Body
from gerotor.mechanics.frame import Frame
from gerotor.mechanics.joint import Joint, Kind
from gerotor.mechanics.tree import Tree

_KINDS: dict[str, Kind] = {"revolute": "revolute", "continuous": "revolute", "prismatic": "prismatic", "fixed": "fixed"}


def tree_from_urdf(path: str | Path, *, gravity: Sequence[float] = (0.0, 0.0, -9.81)) -> Tree:
    """The tree of a URDF file. Joints keep their names; every link whose name no joint has becomes a frame.

    The root link is the base. Fixed joints stay named and cost nothing.
    """
    robot = read_urdf(Path(path))
    try:
        return _tree(robot, gravity)
    except GerotorError as error:
        raise InputError(f"{path}: {error}") from error


def read_urdf(path: Path) -> Any:
    """The file's robot as yourdfpy has it: links, joints, materials."""
    try:
        import yourdfpy
    except ImportError as error:
        raise InputError("reading URDF needs yourdfpy: pip install gerotor[urdf]") from error
    if not isfile(path):
        raise InputError(f"{path}: no such file")
    try:
        _check(ElementTree.parse(path).getroot())  # yourdfpy mends broken XML; half a machine is no machine
        model = yourdfpy.URDF.load(str(path), load_meshes=False, build_scene_graph=False)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except Exception as error:  # XML, number and structure errors of the reader have no common base
        raise InputError(f"{path}: not a readable URDF file ({type(error).__name__}: {str(error).splitlines()[0]})") from error
    return model.robot


def _check(root: ElementTree.Element) -> None:
    """What the reader would fail on without saying where."""
    if root.tag != "robot" or not root.get("name"):
        raise InputError(f"not a URDF file: expected <robot name=...> at the top, got <{root.tag}>")
    for part in (*root.findall("link"), *root.findall("joint")):
        name = part.get("name") or ""
        if not name or not name.isprintable():
            raise InputError(f"a <{part.tag}> is named {name!r}: every one needs a name of printable letters")
        if part.tag == "joint" and any(part.find(end) is None for end in ("parent", "child")):
            raise InputError(f"joint {name!r} needs a <parent link=...> and a <child link=...>")
        inertial = part.find("inertial")
        if inertial is not None and inertial.find("mass") is None:
            raise InputError(f"link {name!r} has an <inertial> without <mass>")


def _tree(robot: Any, gravity: Sequence[float]) -> Tree:
    links = {link.name: link for link in robot.links}
    moved_by = {joint.child: joint.name for joint in robot.joints}
    roots = [name for name in links if name not in moved_by]
    if len(roots) != 1:
        raise InputError(f"has {len(roots)} root links ({', '.join(roots) or 'none'}): one link must carry all others")
    if len(moved_by) != len(robot.joints):
        raise InputError("a link is the child of two joints: only open trees can be read")
    joints = []
    for joint in robot.joints:
        for end in (joint.parent, joint.child):
            if end not in links:
                raise InputError(f"joint {joint.name!r} names the unknown link {end!r}")
        joints.append(_joint(joint, moved_by.get(joint.parent), links[joint.child]))
    taken = {joint.name for joint in robot.joints}
    frames = tuple(Frame(name, moved_by.get(name)) for name in links if name not in taken)
    return Tree(robot.name, tuple(joints), gravity, frames=frames)


def _joint(joint: Any, parent: str | None, link: Any) -> Joint:
    if joint.type not in _KINDS:
        raise InputError(f"joint {joint.name!r} is {joint.type!r}: allowed are {', '.join(_KINDS)}")
    if joint.mimic is not None:
        raise InputError(f"joint {joint.name!r} mimics {joint.mimic.joint!r}: coupled joints are not supported, remove <mimic>")
    limit = joint.limit
    ranged = limit is not None and joint.type in ("revolute", "prismatic")
    return Joint(
        name=joint.name,
        kind=_KINDS[joint.type],
        parent=parent,
        placement=_pose(joint.origin),
        axis=(1.0, 0.0, 0.0) if joint.axis is None else joint.axis,
        lower=_number(limit.lower, 0.0) if ranged else -math.inf,
        upper=_number(limit.upper, 0.0) if ranged else math.inf,
        velocity=_limit(limit and limit.velocity),
        effort=_limit(limit and limit.effort),
        body=_body(link),
    )


def _body(link: Any) -> Body | None:
    inertial = link.inertial
    if inertial is None or inertial.mass is None:
        return None
    try:
        pose = _pose(inertial.origin)
        inertia = np.zeros((3, 3)) if inertial.inertia is None else np.asarray(inertial.inertia, dtype=float)
        rotation = np.array([[float(pose.rotation[i, j]) for j in range(3)] for i in range(3)])
        return Body(float(inertial.mass), pose.translation, rotation @ inertia @ rotation.T)
    except GerotorError as error:
        raise InputError(f"link {link.name!r}: {error}") from error


def _pose(matrix: Any) -> Pose:
    return Pose() if matrix is None else Pose(np.asarray(matrix)[:3, :3], np.asarray(matrix)[:3, 3])


def _number(value: Any, default: float) -> float:
    return default if value is None else float(value)


def _limit(value: Any) -> float:
    """URDF writers put 0 where they know no limit."""
    return float(value) if value else math.inf
