"""Cylinder on a two-bar linkage or between two frames behind lines and a closing valve: boom and stick of [papadopoulos2002]."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gerotor.assembly.system import Part
from gerotor.core.component import Expression
from gerotor.core.evaluate import evaluate
from gerotor.errors import InputError
from gerotor.hydraulics.cylinder import Cylinder
from gerotor.hydraulics.locked_cylinder import LockedCylinder
from gerotor.machines.actuators.base import Fitted, Memory, Mount
from gerotor.machines.actuators.cylinder import cylinder_of
from gerotor.machines.actuators.keys import expect
from gerotor.machines.actuators.lines import Lines, like
from gerotor.units import quantity


def line_cylinder(section: Mapping[str, Any], mount: Mount, path: str) -> Fitted:
    """Input `JOINT.u`, outputs `JOINT.p1` (piston side), `JOINT.p2` (rod side).

    `damping` is viscous, at the rod; `resting_pressure` is that of the rod side at the start of a run.
    """
    needed = ("valve", "line", "cylinder", "damping", "resting_pressure")
    expect(section, path, needed if mount.rod else (*needed, "linkage"), ("make_up",))
    if not mount.rotary and not mount.rod:
        raise InputError(f"{path}: a line-cylinder drives a revolute joint")
    lines = Lines.of(section, mount, path)
    linkage = mount.add("linkage", mount.triangle(section, "linkage", path))
    cylinder = mount.add("cylinder", cylinder_of(section["cylinder"], mount, f"{path}.cylinder"))
    line1 = lines.add("line1", lines.valve.p1, cylinder.Q1)
    line2 = lines.add("line2", lines.valve.p2, cylinder.Q2)
    cylinder.connect(p1=line1.pa, p2=line2.pa, l=linkage.l, v=linkage.v)
    damping = mount.sections.value(section["damping"], "N*s/m", f"{path}.damping", {"least": 0})
    linkage.connect(q=mount.q, w=mount.v, F=cylinder.F - damping * linkage.v)
    rod_side = quantity(section["resting_pressure"], "Pa", f"{path}.resting_pressure")

    def pressures(force: float, q: float) -> tuple[float, float]:
        areas, lever = cylinder.component, 1.0 if mount.rod else float(evaluate(linkage.component, q=q)["J"])
        return (force / lever + areas.rod_side_area * rod_side) / areas.piston_area, rod_side

    name, locked = mount.joint, None
    if mount.model.locks:
        locked = _add_locked(lines, cylinder.component, mount.hold / linkage.J)
        mount.system.output(f"{name}.residual", "rad/s", locked.r / linkage.J)
    lines.show(line1.pa, line2.pa, (locked.p1, locked.p2) if locked else None)
    held = f"{name}.p1i", f"{name}.p2i"
    return Fitted(
        force=linkage.tau, command=f"{name}.u", hold=lambda force, q: lines.states(*pressures(force, q)),
        locked=1 - lines.opened,
        memory=Memory(
            opened=f"{name}.valve.opened", restart=f"{name}.residual",
            kept=dict(zip(held, (f"{name}.line1.pa", f"{name}.line2.pa"), strict=True)),
            start=lambda force, q: dict(zip(held, pressures(force, q), strict=True)),
        ) if locked else None,
    )


def _add_locked(lines: Lines, cylinder: Cylinder, force: Expression) -> Part:
    mount, storage = lines.mount, lines.line.capacitance
    component = like(
        LockedCylinder, lines.line, piston_area=cylinder.piston_area, rod_side_area=cylinder.rod_side_area,
        piston_capacitance=storage, rod_side_capacitance=storage,
    )
    p1i, p2i = (mount.system.input(f"{mount.joint}.{k}", "Pa") for k in ("p1i", "p2i"))
    locked: Part = mount.add("locked", component)
    return locked.connect(F=force, p1i=p1i, p2i=p2i, p01=lines.valve.p1, p02=lines.valve.p2)
