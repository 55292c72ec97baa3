"""Hydraulic line, lumped: inertance and resistance, then capacitance at the far end."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.hydraulics.oil import FLOW, PRESSURE, Oil
from gerotor.maths import smooth


@dataclass(frozen=True, kw_only=True)
class Line(Component):
    """A pipe or hose fed at pressure p1; it holds its own pressure p and inflow Q.

    I dQ/dt = p1 - p - R Q - S Q |Q|                                                     (1)
    C dp/dt = Q - Q2                                                                     (2)
    Q2 is what is taken at the far end. Of a round bore of length l, diameter d and area A:
    I = rho l / A,   C = A l / B(0),   R = 128 mu l / (pi d^4)                             (3)
    Source: [papadopoulos2002, appendix]; (3) from first principles, R for laminar flow in a round pipe. Valid below the
    first wave mode of the line (a quarter of the speed of sound over its length).
    """

    inertance: Expression = param("kg/m^4", "I, inertia of the oil column", above=0)
    capacitance: Expression = param("m^3/Pa", "C, volume stored per pressure", above=0)
    resistance: Expression = param("Pa*s/m^3", "R, laminar resistance", least=0, default=0.0)
    turbulent_resistance: Expression = param("Pa*s^2/m^6", "S, turbulent resistance", least=0, default=0.0)

    states = signals(p=PRESSURE, Q=FLOW)
    inputs = signals(p1=PRESSURE, Q2=FLOW)

    @staticmethod
    def of_bore(length: float, diameter: float, oil: Oil, viscosity: float) -> Line:
        """A line from its geometry [m], oil and dynamic viscosity mu [Pa s], (3)."""
        area = math.pi * diameter**2 / 4
        return Line(
            inertance=oil.density * length / area,
            capacitance=area * length / oil.modulus(0.0),
            resistance=128 * viscosity * length / (math.pi * diameter**4),
        )

    def derivative(self, x: Signals, u: Signals) -> Signals:
        loss = self.resistance * x.Q + self.turbulent_resistance * smooth.signed_square(x.Q)
        return Signals(Q=(u.p1 - x.p - loss) / self.inertance, p=(x.Q - u.Q2) / self.capacitance)  # (1), (2)
