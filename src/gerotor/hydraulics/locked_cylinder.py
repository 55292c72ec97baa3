"""Cylinder behind a closed valve, locked: its pressures and its residual speed from the force it holds."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.hydraulics.oil import PRESSURE
from gerotor.maths import smooth


@dataclass(frozen=True, kw_only=True)
class LockedCylinder(Component):
    """F is the force the cylinder holds; p1i, p2i its pressures when the valve closed; p01, p02 the sources.

    K = A1^2 / C1 + A2^2 / C2,   d = (A1 p1i - A2 p2i - F) / K                             (1)
    p1 = p1i - A1 / C1 d,   p2 = p2i + A2 / C2 d                                           (2)
    r = sr((A1 p01 - A2 p02 - F) / ((R_0 + S) (A1^3 + A2^3)))                              (3)
    d is how far the rod gives on the trapped oil; A1 p1 - A2 p2 = F holds exactly. r is the speed
    the rod would have if the valve were just about to open.
    Source: [papadopoulos2002, eqs. 17, 20, 23-26] with A2 / C2 in the second of (26), where A1 / C1
    is printed.
    """

    piston_area: Expression = param("m^2", "A1, of the piston", above=0)
    rod_side_area: Expression = param("m^2", "A2, of the ring around the rod", above=0)
    piston_capacitance: Expression = param("m^3/Pa", "C1, of the line and chamber on the piston side", above=0)
    rod_side_capacitance: Expression = param("m^3/Pa", "C2, of the line and chamber on the rod side", above=0)
    closed_resistance: Expression = param("Pa*s^2/m^6", "R_0, resistance at which the valve counts as closed", above=0)
    turbulent_resistance: Expression = param("Pa*s^2/m^6", "S, of each line up to the cylinder", least=0, default=0.0)
    transition_pressure: Expression = param("Pa", "drop below which the residual flow is laminar", above=0, default=1e3)

    inputs = signals(F="N", p1i=PRESSURE, p2i=PRESSURE, p01=PRESSURE, p02=PRESSURE)
    outputs = signals(p1=PRESSURE, p2=PRESSURE, r="m/s")

    @property
    def stiffness(self) -> Expression:
        """K of (1) [N/m]."""
        return self.piston_area**2 / self.piston_capacitance + self.rod_side_area**2 / self.rod_side_capacitance

    def output(self, x: Signals, u: Signals) -> Signals:
        A1, A2 = self.piston_area, self.rod_side_area
        d = (A1 * u.p1i - A2 * u.p2i - u.F) / self.stiffness  # (1)
        surplus = A1 * u.p01 - A2 * u.p02 - u.F
        total = (self.closed_resistance + self.turbulent_resistance) * (A1**3 + A2**3)
        return Signals(
            p1=u.p1i - A1 / self.piston_capacitance * d, p2=u.p2i + A2 / self.rod_side_capacitance * d,  # (2)
            r=smooth.signed_root(surplus, (A1 + A2) * self.transition_pressure) / ca.sqrt(total),  # (3)
        )
