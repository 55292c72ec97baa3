"""Sharp-edged orifice: a throttle, a nozzle, a relief branch without cracking pressure."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.hydraulics.oil import FLOW, PRESSURE
from gerotor.maths import smooth


@dataclass(frozen=True, kw_only=True)
class Orifice(Component):
    """Flow from port 1 to port 2.

    Q = Cd A sqrt(2 / rho) sr(p1 - p2)                                                    (1)
    Source: [khadim2021, eq. 9]. Turbulent flow; linear below the width eps.
    """

    area: Expression = param("m^2", "A, opening", least=0)
    discharge_coefficient: Expression = param("1", "Cd", above=0)
    density: Expression = param("kg/m^3", "rho, density of the oil", above=0)
    transition_pressure: Expression = param("Pa", "eps, drop below which the flow is laminar", above=0, default=1e3)

    inputs = signals(p1=PRESSURE, p2=PRESSURE)
    outputs = signals(Q=FLOW)

    @property
    def gain(self) -> Expression:
        """Flow per root of the pressure drop [m^3/s/Pa^0.5]."""
        return self.discharge_coefficient * self.area * ca.sqrt(2 / self.density)

    def output(self, x: Signals, u: Signals) -> Signals:
        return Signals(Q=self.gain * smooth.signed_root(u.p1 - u.p2, self.transition_pressure))  # (1)
