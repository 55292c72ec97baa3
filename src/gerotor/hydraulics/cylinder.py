"""Double-acting cylinder: pressures to force, motion to swept flow and chamber volumes."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.hydraulics.oil import FLOW, PRESSURE


@dataclass(frozen=True, kw_only=True)
class Cylinder(Component):
    """Piston side 1, rod side 2; l is the distance between its pins, v = dl/dt.

    F = A1 p1 - A2 p2                                                                     (1)
    Q1 = A1 v,   Q2 = -A2 v                                                               (2)
    V1 = A1 s,   V2 = A2 (stroke - s),   s = l - l_0                                      (3)
    F > 0 pushes the rod out. Seal friction is a part of its own. The rod side area is the ring,
    not the rod. With a rod on both ends A1 = A2.
    Source: [khadim2021, eqs. 12, 13, 34, 35] with the signs of (35) put right,
    [papadopoulos2002, eqs. 2 and 12b].
    """

    piston_area: Expression = param("m^2", "A1, of the piston", above=0)
    rod_side_area: Expression = param("m^2", "A2, of the ring around the rod", above=0)
    stroke: Expression = param("m", "travel from end to end", above=0)
    retracted_length: Expression = param("m", "l_0, distance between the pins when the rod is in", above=0)

    inputs = signals(p1=PRESSURE, p2=PRESSURE, l="m", v="m/s")
    outputs = signals(F="N", Q1=FLOW, Q2=FLOW, V1="m^3", V2="m^3", s="m")

    def output(self, x: Signals, u: Signals) -> Signals:
        A1, A2 = self.piston_area, self.rod_side_area
        s = u.l - self.retracted_length
        return Signals(
            F=A1 * u.p1 - A2 * u.p2,  # (1)
            Q1=A1 * u.v, Q2=-A2 * u.v,  # (2)
            V1=A1 * s, V2=A2 * (self.stroke - s), s=s,  # (3)
        )
