"""Leaking hydraulic motor and gearbox behind lines and a closing valve: the swing of [papadopoulos2002]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gerotor.core.component import check_range
from gerotor.drives.gear import Gear
from gerotor.errors import InputError
from gerotor.hydraulics.leaky_motor import LeakyMotor
from gerotor.hydraulics.locked_motor import LockedMotor
from gerotor.hydraulics.resistive_motor import ResistiveMotor
from gerotor.machines.actuators.base import Fitted, Memory, Mount
from gerotor.machines.actuators.keys import expect
from gerotor.machines.actuators.lines import Lines, like
from gerotor.units import quantity


def line_motor(section: Mapping[str, Any], mount: Mount, path: str) -> Fitted:
    """Input `JOINT.u`, outputs `JOINT.p1`, `JOINT.p2` at the motor's ports.

    The motor's external leaks go to a case at zero pressure; `damping` is viscous, at the joint;
    `resting_pressure` is the mean of both ports at the start of a run.
    """
    expect(section, path, ("valve", "line", "motor", "gear", "damping", "resting_pressure"), ("make_up",))
    if not mount.rotary:
        raise InputError(f"{path}: a line-motor drives a revolute joint")
    lines, make = Lines.of(section, mount, path), mount.sections.make
    ratio = make(Gear, section["gear"], f"{path}.gear").ratio
    check_range(f"{path}.gear.ratio", ratio, "1", {"above": 0})
    shaft = make(LeakyMotor, section["motor"], f"{path}.motor", line_resistance=lines.line.resistance)
    at_joint = replace(shaft, displacement=shaft.displacement * ratio)
    if mount.model.lines == "reduced":
        motor = mount.add("motor", like(ResistiveMotor, at_joint))
        motor.connect(p01=lines.valve.p1, p02=lines.valve.p2, pc=0, R=lines.valve.R, w=mount.v)
    else:
        motor = mount.add("motor", at_joint)
        line1 = lines.add("line1", lines.valve.p1, motor.Q1)
        line2 = lines.add("line2", lines.valve.p2, motor.Q2)
        motor.connect(p1=line1.p, p2=line2.p, pc=0, w=mount.v)
    name, locked = mount.joint, None
    if mount.model.locks:
        locked = mount.add("locked", like(LockedMotor, at_joint, closed_resistance=lines.line.closed_resistance))
        locked.connect(p01=lines.valve.p1, p02=lines.valve.p2, pc=0, tau=mount.hold)
        mount.system.output(f"{name}.residual", "rad/s", locked.r)
    lines.show(motor.pe, motor.pf, (locked.pe, locked.pf) if locked else None)
    damping = mount.sections.value(section["damping"], "N*m*s/rad", f"{path}.damping", {"least": 0})
    mean = quantity(section["resting_pressure"], "Pa", f"{path}.resting_pressure")

    def hold(force: float, q: float) -> Mapping[str, float]:
        half = force / float(at_joint.displacement) / 2
        return lines.states(mean + half, mean - half)

    return Fitted(
        force=motor.tau - damping * mount.v, command=f"{name}.u", hold=hold, locked=1 - lines.opened,
        memory=Memory(opened=f"{name}.valve.opened", restart=f"{name}.residual") if locked else None,
    )
