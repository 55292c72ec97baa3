"""Hydraulic motor: pressure difference to torque, speed to swept flow."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.hydraulics.oil import FLOW, PRESSURE


@dataclass(frozen=True, kw_only=True)
class HydraulicMotor(Component):
    """A rotary motor of fixed displacement.

    tau = eta D (p1 - p2)                                                               (1)
    Q1 = D w,   Q2 = -D w                                                               (2)
    D is per radian (per revolution / 2 pi) in both, so that tau w = eta (p1 - p2) Q1.
    Source: [kim2021, eqs. 3 and 4]. eta corrects the torque constant in both directions of
    power; what depends on direction belongs into a friction part.
    """

    displacement: Expression = param("m^3/rad", "D, swept volume per radian", above=0)
    efficiency: Expression = param("1", "eta, mechanical efficiency", above=0, most=1)

    inputs = signals(p1=PRESSURE, p2=PRESSURE, w="rad/s")
    outputs = signals(tau="N*m", Q1=FLOW, Q2=FLOW)

    def output(self, x: Signals, u: Signals) -> Signals:
        swept = self.displacement * u.w  # (2)
        return Signals(tau=self.efficiency * self.displacement * (u.p1 - u.p2), Q1=swept, Q2=-swept)  # (1)
