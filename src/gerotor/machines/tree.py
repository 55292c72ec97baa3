"""The mechanical tree of a machine file."""

from __future__ import annotations

import math
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


def tree_of(machine: MachineFile) -> Tree:
    """Joints in file order; a joint without a parent sits on the one before it, the first on the base."""
    joints, previous = [], None
    for spec in machine.joints:
        joints.append(_joint(spec, spec.parent or previous))
        previous = spec.name
    frames = tuple(Frame(f.name, f.joint, Pose(rotation_rpy(*f.rpy), f.position)) for f in machine.frames)
    payloads = tuple(Payload(p.name, p.frame, _body(p)) for p in machine.payloads)
    return Tree(machine.name, tuple(joints), machine.gravity, frames, payloads)


def _joint(spec: JointSpec, parent: str | None) -> Joint:
    unit = "m" if spec.type == "prismatic" else "rad"
    lower, upper = (quantity(v, unit, f"{spec.name}.range") for v in spec.range) if spec.range else (-math.inf, math.inf)
    options: dict[str, Any] = {
        "lower": lower,
        "upper": upper,
        "body": _body(spec.link) if spec.link else None,
        "rotor_inertia": quantity(spec.rotor_inertia, "kg" if unit == "m" else "kg*m^2", f"{spec.name}.rotor_inertia"),
        "axis": spec.axis,
    }
    if spec.velocity is not None:
        options["velocity"] = quantity(spec.velocity, f"{unit}/s", f"{spec.name}.velocity")
    if spec.dh is not None:
        placement = DHRow(spec.dh.alpha, spec.dh.a, spec.dh.d, spec.dh.theta).placement()
    elif spec.origin is not None:
        placement = Pose(rotation_rpy(*spec.origin.rpy), spec.origin.position)
    else:
        placement = Pose()
    return Joint(name=spec.name, kind=spec.type, parent=parent, placement=placement, **options)


def _body(spec: BodySpec) -> Body:
    return Body(spec.mass, spec.com, spec.inertia)
