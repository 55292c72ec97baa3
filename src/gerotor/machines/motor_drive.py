"""A leaking hydraulic motor at a joint, driven through lines."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.hydraulics.leaky_motor import LeakyMotor
from gerotor.hydraulics.locked_motor import LockedMotor
from gerotor.hydraulics.resistive_motor import ResistiveMotor
from gerotor.machines.line_drive import Driven, Joint, LineDrive, Port, Site, like


@dataclass(frozen=True, kw_only=True)
class MotorDrive(LineDrive):
    """`motor` as seen at the joint: its displacement times the gear ratio; `damping` at the joint [N m s/rad].

    The lines' laminar resistance is the motor's; external leaks go to a case at zero pressure.
    Outputs `prefix.p1`, `prefix.p2`: pressures at the motor's ports.
    """

    motor: LeakyMotor
    damping: float

    def connect(self, site: Site, joint: Joint) -> Driven:
        """Add the drive's parts."""
        system, prefix, depth = site.system, site.prefix, site.depth
        valve, opened = self.add_valve(site)
        if depth.lines == "reduced":
            motor = system.add(f"{prefix}.motor", like(ResistiveMotor, self.motor))
            motor.connect(p01=valve.p1, p02=valve.p2, pc=0, R=valve.R, w=joint.v)
        else:
            motor = system.add(f"{prefix}.motor", self.motor)
            ports = Port("line1", valve.p1, motor.Q1), Port("line2", valve.p2, motor.Q2)
            line1, line2 = (self.add_line(site, port, valve, opened) for port in ports)
            motor.connect(p1=line1.p, p2=line2.p, pc=0, w=joint.v)
        p1, p2 = motor.pe, motor.pf
        if depth.locks:
            component = like(LockedMotor, self.motor, closed_resistance=self.valve.closed_resistance)
            locked = system.add(f"{prefix}.locked", component)
            locked.connect(p01=valve.p1, p02=valve.p2, pc=0, tau=joint.hold)
            p1, p2 = ca.if_else(opened, p1, locked.pe), ca.if_else(opened, p2, locked.pf)
            self.show(site, residual=("rad/s", locked.r))
        self.show(site, p1=("Pa", p1), p2=("Pa", p2))
        return Driven(motor.tau - self.damping * joint.v, opened)
