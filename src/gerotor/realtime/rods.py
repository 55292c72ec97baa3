"""Hydraulic cylinders of a machine file as things to see.

A linkage gives the triangle pivot, base eye, rod eye by two distances and an angle; how it is turned as a
whole is not in it. The longer arm is drawn along its own beam, the other at the linkage's angle to it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from gerotor.machines.machine import Machine
from gerotor.maths.rotation import rotation_about
from gerotor.mechanics.joint import Joint
from gerotor.realtime.stage import Rod
from gerotor.units import quantity

Array = NDArray[np.float64]


def rods_of(machine: Machine) -> tuple[Rod, ...]:
    """One rod a joint that has a cylinder on a linkage, one a cylinder between frames."""
    joints = {j.name: j for j in machine.tree.joints}
    out = []
    for spec in machine.file.joints:
        actuator = spec.actuator or {}
        triangle = actuator.get("linkage", actuator.get("geometry"))
        if isinstance(triangle, Mapping) and isinstance(actuator.get("cylinder"), Mapping):
            out.append(_rod(machine, joints[spec.name], triangle, actuator["cylinder"]))
    for cylinder in machine.file.cylinders:
        section = cylinder.actuator["cylinder"]
        eyes = [_eye(machine, f) for f in (cylinder.a, cylinder.b)]
        (base, base_point), (end, end_point) = sorted(eyes, key=lambda eye: bool(eye[0]))
        out.append(Rod(
            name=f"{cylinder.name}_cylinder", from_frame=base, from_point=base_point, to_frame=str(end), to_point=end_point,
            closed_length=quantity(section["retracted_length"], "m"), bore=1.25 * _bore(section),
        ))
    return tuple(out)


def _eye(machine: Machine, frame: str | None) -> tuple[str | None, tuple[float, float, float]]:
    """The joint (None: the base) whose body carries a frame, and its place there."""
    for f in machine.tree.frames:
        if f.name == frame:
            return f.joint, _point(np.array(ca.DM(f.placement.translation)).ravel())
    return frame, (0.0, 0.0, 0.0)


def _rod(machine: Machine, joint: Joint, linkage: Mapping[str, Any], cylinder: Mapping[str, Any]) -> Rod:
    base, arm = (quantity(linkage[k], "m") for k in ("base_distance", "rod_distance"))
    angle = float(linkage.get("direction", 1)) * quantity(linkage["angle"], "rad")
    turn = np.array(ca.DM(rotation_about(joint.axis, angle)))
    rotation, origin = np.array(ca.DM(joint.placement.rotation)), np.array(ca.DM(joint.placement.translation)).ravel()
    back = -rotation.T @ origin
    if base > arm and np.linalg.norm(back) > base:
        base_direction = back / np.linalg.norm(back)
        rod_direction = turn @ base_direction
    else:
        rod_direction = _outward(machine, joint)
        base_direction = turn.T @ rod_direction
    return Rod(
        name=f"{joint.name}_cylinder", from_frame=joint.parent, from_point=_point(origin + rotation @ (base * base_direction)),
        to_frame=joint.name, to_point=_point(arm * rod_direction),
        closed_length=quantity(cylinder["retracted_length"], "m"), bore=1.25 * _bore(cylinder),
    )


def _bore(cylinder: Mapping[str, Any]) -> float:
    if "bore" in cylinder:
        return quantity(cylinder["bore"], "m")
    return math.sqrt(4 / math.pi * quantity(cylinder["piston_area"], "m^2"))


def _outward(machine: Machine, joint: Joint) -> Array:
    """From the joint along its link."""
    ends = [np.array(ca.DM(j.placement.translation)).ravel() for j in machine.tree.joints if j.parent == joint.name]
    ends += [np.array(ca.DM(f.placement.translation)).ravel() for f in machine.tree.frames if f.joint == joint.name]
    longest = max(ends, key=lambda e: float(np.linalg.norm(e)), default=np.array([1.0, 0, 0]))
    return np.asarray(longest / max(float(np.linalg.norm(longest)), 1e-9))


def _point(values: Array) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])
