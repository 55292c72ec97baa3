"""Check valve: flow one way only."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.hydraulics.oil import FLOW, PRESSURE
from gerotor.maths import smooth


@dataclass(frozen=True, kw_only=True)
class CheckValve(Component):
    """Flow from port 1 to port 2, never back.

    Q = K e^2 (e^2 + eps^2)^(-3/4),   e = max(p1 - p2 - p_c, 0)                           (1)
    Source: derived: the orifice law K sqrt(e), made smooth where it opens; exactly 0 when shut.
    """

    gain: Expression = param("m^3/s/Pa^0.5", "K, flow per root of the drop", above=0)
    cracking_pressure: Expression = param("Pa", "p_c, drop at which it opens", least=0)
    transition_pressure: Expression = param("Pa", "eps, width of the opening", above=0, default=1e3)

    inputs = signals(p1=PRESSURE, p2=PRESSURE)
    outputs = signals(Q=FLOW)

    def output(self, x: Signals, u: Signals) -> Signals:
        return Signals(Q=self.gain * smooth.one_way_root(u.p1 - u.p2 - self.cracking_pressure, self.transition_pressure))  # (1)
