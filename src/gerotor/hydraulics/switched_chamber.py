"""Chamber right behind a valve that closes: the oil spring without the line."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.hydraulics.oil import FLOW, PRESSURE
from gerotor.maths import smooth


@dataclass(frozen=True, kw_only=True)
class SwitchedChamber(Component):
    """Orifice of resistance R fed at p0, then a capacitance from which the actuator takes Qa.

    C dp/dt = Q - Qa + Qm,   Q = sr((p0 - p) / R) while open, 0 while closed             (1)
    pa = p - L Qa - S Qa |Qa|                                                            (2)
    Qm is what else comes in (make-up oil). The flow has no inertia, so there is nothing to keep continuous at the switch but p.
    Source: [papadopoulos2002, eqs. 13, 18] with the inertance left out.
    """

    capacitance: Expression = param("m^3/Pa", "C, volume stored per pressure", above=0)
    resistance: Expression = param("Pa*s/m^3", "L, laminar resistance up to the actuator", least=0, default=0.0)
    turbulent_resistance: Expression = param("Pa*s^2/m^6", "S, turbulent resistance up to the actuator", least=0, default=0.0)
    transition_pressure: Expression = param("Pa", "drop below which the flow is laminar", above=0, default=1e3)

    states = signals(p=PRESSURE)
    inputs = signals(p0=PRESSURE, R="Pa*s^2/m^6", opened="1", Qa=FLOW, Qm=FLOW)
    outputs = signals(pa=PRESSURE, Q=FLOW)

    def output(self, x: Signals, u: Signals) -> Signals:
        flow = smooth.signed_root(u.p0 - x.p, self.transition_pressure) / ca.sqrt(u.R)
        loss = self.resistance * u.Qa + self.turbulent_resistance * smooth.signed_square(u.Qa)
        return Signals(Q=ca.if_else(u.opened, flow, 0), pa=x.p - loss)  # (1), (2)

    def derivative(self, x: Signals, u: Signals) -> Signals:
        return Signals(p=(self.output(x, u).Q - u.Qa + u.Qm) / self.capacitance)  # (1)
