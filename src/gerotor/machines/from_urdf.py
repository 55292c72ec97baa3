"""A URDF file as the document of a machine file: joints, ranges, masses, frames; drives are added on top by `extends`."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import casadi as ca
import numpy as np

from gerotor.maths.pose import Pose
from gerotor.mechanics.body import Body
from gerotor.mechanics.joint import Joint
from gerotor.mechanics.urdf import tree_from_urdf


def urdf_document(path: Path) -> dict[str, Any]:
    """What `read_document` gives for a .urdf file; a link that is no joint's namesake becomes a frame."""
    tree = tree_from_urdf(path)
    source = f"URDF file {path.name[:500]}"
    return {
        "name": re.sub(r"^(?![A-Za-z])", "m", re.sub(r"[^A-Za-z0-9_\-]", "-", tree.name))[:40],
        "title": f"Mechanics of {path.name}",
        "joints": [_joint(joint, source) for joint in tree.joints],
        "frames": [{"name": f.name, "joint": f.joint, **_placed(f.placement), "source": source} for f in tree.frames],
    }


def _joint(joint: Joint, source: str) -> dict[str, Any]:
    out: dict[str, Any] = {
        "name": joint.name, "type": joint.kind, "parent": joint.parent or "base", "axis": list(joint.axis), "source": source,
        "origin": {**_placed(joint.placement), "source": source},
    }
    if math.isfinite(joint.lower) and math.isfinite(joint.upper):
        out["range"] = [_with_unit(joint.lower, joint.unit), _with_unit(joint.upper, joint.unit)]
    if math.isfinite(joint.velocity):
        out["velocity"] = _with_unit(joint.velocity, f"{joint.unit}/s")
    if joint.body is not None:
        out["link"] = {**_body(joint.body), "source": source}
    return out


def _placed(pose: Pose) -> dict[str, Any]:
    rotation, position = np.array(ca.DM(pose.rotation)), np.array(ca.DM(pose.translation)).ravel()
    return {"position": [_with_unit(x, "m") for x in position], "rpy": [_with_unit(a, "rad") for a in _rpy(rotation)]}


def _body(body: Body) -> dict[str, Any]:
    inertia = np.array(ca.DM(body.inertia))
    six = [*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2]]
    com = np.array(ca.DM(body.com)).ravel()
    return {
        "mass": _with_unit(float(body.mass), "kg"), "com": [_with_unit(x, "m") for x in com],
        "inertia": [_with_unit(x, "kg*m^2") for x in six],
    }


def _rpy(r: Any) -> tuple[float, float, float]:
    """Angles of Rz(yaw) Ry(pitch) Rx(roll) = r; roll is 0 where the two turn about one axis."""
    level = math.hypot(r[0, 0], r[1, 0])
    pitch = math.atan2(-r[2, 0], level)
    if level < 1e-12:
        return 0.0, pitch, math.atan2(-r[0, 1], r[1, 1])
    return math.atan2(r[2, 1], r[2, 2]), pitch, math.atan2(r[1, 0], r[0, 0])


def _with_unit(value: float, unit: str) -> str:
    return f"{float(value) if abs(value) > 1e-30 else 0.0!r} {unit}"
