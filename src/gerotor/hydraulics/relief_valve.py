"""Relief valve: opens above its cracking pressure."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.hydraulics.oil import FLOW, PRESSURE
from gerotor.maths import smooth


@dataclass(frozen=True, kw_only=True)
class ReliefValve(Component):
    """Direct-acting, without dynamics; flow from port 1 to port 2.

    Q = K (e + sqrt(e^2 + w^2)) / 2,   e = p1 - p2 - p_c                                  (1)
    Source: derived: opening proportional to the overpressure e, corner rounded over w. Valid for
    overpressures small against p_c. Shut, it passes about K w^2 / (4 |e|).
    """

    cracking_pressure: Expression = param("Pa", "p_c, drop at which it opens", above=0)
    gain: Expression = param("m^3/s/Pa", "K, flow per overpressure", above=0)
    corner: Expression = param("Pa", "w, rounding of the opening corner", above=0)

    inputs = signals(p1=PRESSURE, p2=PRESSURE)
    outputs = signals(Q=FLOW)

    def output(self, x: Signals, u: Signals) -> Signals:
        return Signals(Q=self.gain * smooth.ramp(u.p1 - u.p2 - self.cracking_pressure, self.corner))  # (1)
