"""Soft end stops of the joints that ask for one."""

from __future__ import annotations

import casadi as ca

from gerotor.assembly.system import System
from gerotor.core.component import Expression
from gerotor.machines.schema import MachineFile
from gerotor.mechanics.end_stop import EndStops
from gerotor.mechanics.tree import Tree
from gerotor.units import quantity


def end_stops(machine: MachineFile, tree: Tree, system: System, q: Expression, v: Expression) -> Expression:
    """Their forces on the joints; zeros where no joint has one."""
    specs = {j.name: j.end_stop for j in machine.joints}
    if not any(specs[n] for n in tree.names):
        return ca.SX.zeros(tree.size)
    values: dict[str, list[float]] = {"stiffness": [], "damping": [], "width": []}
    for joint in tree.moving:
        spec, per = specs[joint.name], joint.unit
        units = {"stiffness": f"{joint.force_unit}/{per}", "damping": f"{joint.force_unit}*s/{per}", "width": per}
        for key, column in values.items():
            path = f"{joint.name}.end_stop.{key}"
            column.append(quantity(getattr(spec, key), units[key], path) if spec else float(key == "width"))
    part = system.add("end_stops", EndStops(tree=tree, **{k: tuple(v) for k, v in values.items()}))
    return part.connect(q=q, v=v).tau
