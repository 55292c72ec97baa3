"""A cylinder on a two-bar linkage, driven through lines."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.assembly.system import Part
from gerotor.core.component import Expression
from gerotor.hydraulics.cylinder import Cylinder
from gerotor.hydraulics.locked_cylinder import LockedCylinder
from gerotor.hydraulics.two_bar import TwoBar
from gerotor.machines.line_drive import Driven, Joint, LineDrive, Port, Site, like


@dataclass(frozen=True, kw_only=True)
class CylinderDrive(LineDrive):
    """`damping` is viscous, at the rod [N s/m].

    Outputs `prefix.p1`, `prefix.p2`: pressures at the piston and rod side. Where joints lock, the
    pressures at which the valve closed are the inputs `prefix.p1i`, `prefix.p2i`.
    """

    cylinder: Cylinder
    linkage: TwoBar
    damping: float

    def connect(self, site: Site, joint: Joint) -> Driven:
        """Add the drive's parts."""
        system, prefix, depth = site.system, site.prefix, site.depth
        valve, opened = self.add_valve(site)
        linkage = system.add(f"{prefix}.linkage", self.linkage)
        cylinder = system.add(f"{prefix}.cylinder", self.cylinder)
        ports = Port("line1", valve.p1, cylinder.Q1), Port("line2", valve.p2, cylinder.Q2)
        line1, line2 = (self.add_line(site, port, valve, opened) for port in ports)
        cylinder.connect(p1=line1.pa, p2=line2.pa, l=linkage.l, v=linkage.v)
        linkage.connect(q=joint.q, w=joint.v, F=cylinder.F - self.damping * linkage.v)
        p1, p2 = line1.pa, line2.pa
        if depth.locks:
            locked = self._add_locked(site, valve, joint.hold / linkage.J)
            p1, p2 = ca.if_else(opened, p1, locked.p1), ca.if_else(opened, p2, locked.p2)
            self.show(site, residual=("rad/s", locked.r / linkage.J))
        self.show(site, p1=("Pa", p1), p2=("Pa", p2))
        return Driven(linkage.tau, opened)

    def _add_locked(self, site: Site, valve: Part, force: Expression) -> Part:
        capacitance = self.line.capacitance
        component = like(
            LockedCylinder, self.line, piston_area=self.cylinder.piston_area, rod_side_area=self.cylinder.rod_side_area,
            piston_capacitance=capacitance, rod_side_capacitance=capacitance,
        )
        p1i, p2i = (site.system.input(f"{site.prefix}.p{k}i", "Pa") for k in (1, 2))
        return site.system.add(f"{site.prefix}.locked", component).connect(F=force, p1i=p1i, p2i=p2i, p01=valve.p1, p02=valve.p2)
