"""The mechanical tree of a machine file."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from gerotor.machines.schema import BodySpec, JointSpec, MachineFile
from gerotor.maths.pose import Pose
from gerotor.maths.rotation import rotation_rpy
from gerotor.mechanics.body import Body
from gerotor.mechanics.denavit_hartenberg import DHRow
from gerotor.mechanics.frame import Frame, Payload
from gerotor.mechanics.joint import Joint
from gerotor.mechanics.tree import Tree
from gerotor.units import quantity

Tuned = Callable[[float, str, str], Any]  # number, unit, path -> the number or a symbol


def tree_of(machine: MachineFile, tuned: Tuned = lambda number, unit, path: number) -> Tree:
    """Joints in file order; a joint without a parent sits on the one before it, the first (and one on `base`) on the base.

    `tuned` may make symbols of J.origin.position[k], J.link.mass, J.link.com[k], J.link.inertia[k] and F.position[k].
    """
    joints: list[Joint] = []
    base = None if all(spec.name != "base" for spec in machine.joints) else "base"
    for spec in machine.joints:
        before = joints[-1].name if joints else None
        joints.append(_joint(spec, base if spec.parent == "base" else spec.parent or before, tuned))
    frames = tuple(
        Frame(f.name, f.joint, Pose(rotation_rpy(*f.rpy), _several(f.position, "m", f"{f.name}.position", tuned)))
        for f in machine.frames
    )
    payloads = tuple(Payload(p.name, p.frame, _body(p, p.name, tuned)) for p in machine.payloads)
    return Tree(machine.name, tuple(joints), machine.gravity, frames, payloads)


def _joint(spec: JointSpec, parent: str | None, tuned: Tuned) -> Joint:
    unit = "m" if spec.type == "prismatic" else "rad"
    lower, upper = (quantity(v, unit, f"{spec.name}.range") for v in spec.range) if spec.range else (-math.inf, math.inf)
    options: dict[str, Any] = {
        "lower": lower,
        "upper": upper,
        "body": _body(spec.link, f"{spec.name}.link", tuned) if spec.link else None,
        "rotor_inertia": quantity(spec.rotor_inertia, "kg" if unit == "m" else "kg*m^2", f"{spec.name}.rotor_inertia"),
        "axis": spec.axis,
    }
    if spec.velocity is not None:
        options["velocity"] = quantity(spec.velocity, f"{unit}/s", f"{spec.name}.velocity")
    if spec.dh is not None:
        placement = DHRow(spec.dh.alpha, spec.dh.a, spec.dh.d, spec.dh.theta).placement()
    elif spec.origin is not None:
        position = _several(spec.origin.position, "m", f"{spec.name}.origin.position", tuned)
        placement = Pose(rotation_rpy(*spec.origin.rpy), position)
    else:
        placement = Pose()
    return Joint(name=spec.name, kind=spec.type, parent=parent, placement=placement, **options)


def _body(spec: BodySpec, path: str, tuned: Tuned) -> Body:
    com, inertia = _several(spec.com, "m", f"{path}.com", tuned), _several(spec.inertia, "kg*m^2", f"{path}.inertia", tuned)
    return Body(tuned(spec.mass, "kg", f"{path}.mass"), com, inertia)


def _several(values: Sequence[float], unit: str, path: str, tuned: Tuned) -> list[Any]:
    return [tuned(v, unit, f"{path}[{k}]") for k, v in enumerate(values)]
