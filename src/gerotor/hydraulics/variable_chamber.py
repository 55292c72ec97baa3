"""Chamber behind a moving wall: oil in a volume that is given from outside."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.hydraulics.oil import FLOW, PRESSURE, Oil
from gerotor.maths import smooth


@dataclass(frozen=True, kw_only=True)
class VariableChamber(Component):
    """One side of a cylinder with its hose. Count the swept flow of the wall in Q.

    dp/dt = B(p) / (V_0 + max(V, 0)) Q                                                    (1)
    Source: [khadim2021, eqs. 8, 32 and 34]. V is the volume swept so far (V1 or V2 of a cylinder);
    beyond the cylinder's end the hose V_0 is left.
    """

    dead_volume: Expression = param("m^3", "V_0, oil in hose and port", above=0)
    oil: Oil

    states = signals(p=PRESSURE)
    inputs = signals(Q=FLOW, V="m^3")

    def derivative(self, x: Signals, u: Signals) -> Signals:
        return Signals(p=self.oil.modulus(x.p) / (self.dead_volume + smooth.ramp(u.V)) * u.Q)  # (1)
