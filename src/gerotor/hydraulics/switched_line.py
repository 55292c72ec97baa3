"""Line behind a valve that closes: one set of states, two models, no jump at the switch."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.hydraulics.oil import FLOW, PRESSURE
from gerotor.maths import smooth


@dataclass(frozen=True, kw_only=True)
class SwitchedLine(Component):
    """Valve orifice, oil column, capacitance, line resistance up to the actuator.

    valve open      I dQ/dt = p0 - p - R Q |Q|,   C dp/dt = Q - Qa + Qm                   (1)
    valve closed    dQ/dt = (Q_r - Q) / T,        C dp/dt = -Qa + Qm                      (2)
                    Q_r = sr((p0 - p) / R_0)                                              (3)
    at the actuator pa = p - L Qa - S Qa |Qa|                                             (4)
    p0 is the pressure before the orifice (supply or tank), R its resistance, Q the flow into the
    line, Qa what the actuator takes, Qm what else comes in (make-up oil). When closed, Q only
    follows the small residual flow of (3), so that all states are continuous at either switch.
    Source: [papadopoulos2002, eqs. 13-15 and A6a] with flow into the line positive at both ports
    of the actuator, which also puts the sign of the second source and of (14) right.
    Q |Q| is smoothed over the width Q_m, which gives the orifice a slope at rest.
    """

    inertance: Expression = param("kg/m^4", "I, inertia of the oil column", above=0)
    capacitance: Expression = param("m^3/Pa", "C, volume stored per pressure", above=0)
    closed_resistance: Expression = param("Pa*s^2/m^6", "R_0, resistance at which the valve counts as closed", above=0)
    time_constant: Expression = param("s", "T, of the follower of the residual flow", above=0)
    resistance: Expression = param("Pa*s/m^3", "L, laminar resistance up to the actuator", least=0, default=0.0)
    turbulent_resistance: Expression = param("Pa*s^2/m^6", "S, turbulent resistance up to the actuator", least=0, default=0.0)
    transition_pressure: Expression = param("Pa", "drop below which the residual flow is laminar", above=0, default=1e3)
    transition_flow: Expression = param("m^3/s", "Q_m, flow below which the orifice is laminar", above=0, default=1e-8)

    states = signals(p=PRESSURE, Q=FLOW)
    inputs = signals(p0=PRESSURE, R="Pa*s^2/m^6", opened="1", Qa=FLOW, Qm=FLOW)
    outputs = signals(pa=PRESSURE)

    def output(self, x: Signals, u: Signals) -> Signals:
        return Signals(pa=x.p - self.resistance * u.Qa - self.turbulent_resistance * smooth.signed_square(u.Qa))  # (4)

    def derivative(self, x: Signals, u: Signals) -> Signals:
        residual = smooth.signed_root(u.p0 - x.p, self.transition_pressure) / ca.sqrt(self.closed_resistance)  # (3)
        driven = (u.p0 - x.p - u.R * smooth.signed_square(x.Q, self.transition_flow)) / self.inertance
        return Signals(
            Q=ca.if_else(u.opened, driven, (residual - x.Q) / self.time_constant),  # (1), (2)
            p=(ca.if_else(u.opened, x.Q, 0) - u.Qa + u.Qm) / self.capacitance,
        )
