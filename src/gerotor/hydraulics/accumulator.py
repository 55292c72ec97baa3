"""Gas-loaded accumulator: a soft oil store above its precharge."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Component, Expression, Signal, Signals, param, signals
from gerotor.hydraulics.oil import FLOW, PRESSURE, Oil
from gerotor.maths import smooth


@dataclass(frozen=True, kw_only=True)
class Accumulator(Component):
    """Bladder or piston type; all pressures absolute.

    V = V_0 (1 - (p_0 / P)^(1/n)),   P = p_0 + ramp(p - p_0): oil held by the gas           (1)
    dp/dt = Q / (dV/dp + V_d / B(p))                                                      (2)
    Below the precharge p_0 the bladder is empty and only the oil V_d of the port is left.
    Source: derived: P (V_0 - V)^n = p_0 V_0^n, polytropic gas; n = 1 slow, 1.4 fast charging.
    """

    gas_volume: Expression = param("m^3", "V_0, gas volume at precharge", above=0)
    precharge: Expression = param("Pa", "p_0, absolute precharge pressure", above=0)
    exponent: Expression = param("1", "n, polytropic exponent", least=1)
    port_volume: Expression = param("m^3", "V_d, oil in port and line", above=0)
    corner: Expression = param("Pa", "rounding of ramp at the precharge", above=0, default=1e4)
    oil: Oil

    states = signals(p=Signal("Pa", lower=PRESSURE.lower, upper=PRESSURE.upper, scale=PRESSURE.scale, start=101325.0))
    inputs = signals(Q=FLOW)
    outputs = signals(V="m^3")

    def _gas(self, p: Expression) -> tuple[Expression, Expression]:
        """Gas pressure P and (p_0 / P)^(1/n)."""
        gas = self.precharge + smooth.ramp(p - self.precharge, self.corner)
        return gas, ca.exp(ca.log(self.precharge / gas) / self.exponent)

    def output(self, x: Signals, u: Signals) -> Signals:
        return Signals(V=self.gas_volume * (1 - self._gas(x.p)[1]))  # (1)

    def derivative(self, x: Signals, u: Signals) -> Signals:
        gas, share = self._gas(x.p)
        slope = (1 + smooth.sign(x.p - self.precharge, self.corner)) / 2
        softness = self.gas_volume * share / (self.exponent * gas) * slope
        return Signals(p=u.Q / (softness + self.port_volume / self.oil.modulus(x.p)))  # (2)
