"""Cylinders of a machine file that act between two frames, across whatever joints lie between them."""

from __future__ import annotations

from dataclasses import replace

from gerotor.errors import InputError, unknown
from gerotor.machines.actuators import CYLINDERS, Fitted, Mount, actuator
from gerotor.machines.schema import CylinderSpec, MachineFile
from gerotor.mechanics.line_of_action import LineOfAction
from gerotor.mechanics.rod import Rod
from gerotor.mechanics.tree import Tree


def fit_cylinder(file: MachineFile, tree: Tree, spec: CylinderSpec, mount: Mount) -> Fitted:
    """The cylinder in place; its force is that on all joints."""
    path, kind = f"{spec.name}.actuator", str(spec.actuator.get("kind"))
    if kind not in CYLINDERS:
        raise InputError(f"{path}.kind: {unknown('cylinder', kind, list(CYLINDERS))}")
    if mount.model.locks:
        raise InputError(f"{spec.name}: model.lines = reduced locks joints, no cylinders between frames; choose full or none")
    rod = Rod(tree=tree, line=LineOfAction(spec.name, spec.a, spec.b))
    if tree.place(spec.a)[0] == tree.place(spec.b)[0]:
        ends = f"{spec.a or 'the base'} and {spec.b or 'the base'}"
        raise InputError(f"{spec.name}: {ends} sit on the same body: there must be a joint between them")
    driven = {c.joint for c in file.cylinders if c is not spec}
    driven |= {j.name for j in file.joints if j.actuator is None or j.actuator.get("kind") != "free"}
    free = [n for n in tree.names if n not in driven]
    if spec.joint is not None and spec.joint not in free:
        raise InputError(f"{spec.name}.joint: {unknown('joint without a drive', spec.joint, free)}")
    return actuator(kind)(spec.actuator, replace(mount, rod=rod), path)
