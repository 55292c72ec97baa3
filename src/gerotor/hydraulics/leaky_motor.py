"""Hydraulic motor with leakage, behind line resistances: ports without storage of their own."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.hydraulics.oil import FLOW, PRESSURE


@dataclass(frozen=True, kw_only=True)
class LeakyMotor(Component):
    """Motor fed from line pressures p1, p2 through resistances; port pressures pe, pf between.

    (p1 - pe) / R = D w + (pe - pf) / R_in + (pe - pc) / R_ex                             (1)
    (p2 - pf) / R = -D w - (pe - pf) / R_in + (pf - pc) / R_ex                            (2)
    Q1 = (p1 - pe) / R,   Q2 = (p2 - pf) / R,   Qc = (pe + pf - 2 pc) / R_ex              (3)
    tau = D (pe - pf)                                                                     (4)
    (1), (2) are linear in pe, pf; sum and difference decouple:
    pe - pf = (p1 - p2 - 2 R D w) / (1 + 2 R / R_in + R / R_ex)                           (5)
    pe + pf = (p1 + p2 + 2 pc R / R_ex) / (1 + R / R_ex)                                  (6)
    Source: [papadopoulos2002, eqs. 1, 12a and A6a] with the resistance dividing and the
    algebraic loop solved. Qc flows to the case at pressure pc.
    """

    displacement: Expression = param("m^3/rad", "D, swept volume per radian", above=0)
    line_resistance: Expression = param("Pa*s/m^3", "R, of each line", above=0)
    internal_resistance: Expression = param("Pa*s/m^3", "R_in, of the leak from port to port", above=0)
    external_resistance: Expression = param("Pa*s/m^3", "R_ex, of the leak from each port to the case", above=0)

    inputs = signals(p1=PRESSURE, p2=PRESSURE, pc=PRESSURE, w="rad/s")
    outputs = signals(tau="N*m", Q1=FLOW, Q2=FLOW, Qc=FLOW, pe=PRESSURE, pf=PRESSURE)

    def output(self, x: Signals, u: Signals) -> Signals:
        R, inner, outer = self.line_resistance, self.internal_resistance, self.external_resistance
        difference = (u.p1 - u.p2 - 2 * R * self.displacement * u.w) / (1 + 2 * R / inner + R / outer)  # (5)
        total = (u.p1 + u.p2 + 2 * u.pc * R / outer) / (1 + R / outer)  # (6)
        pe, pf = (total + difference) / 2, (total - difference) / 2
        return Signals(
            tau=self.displacement * difference, pe=pe, pf=pf,  # (4)
            Q1=(u.p1 - pe) / R, Q2=(u.p2 - pf) / R, Qc=(total - 2 * u.pc) / outer,  # (3)
        )
