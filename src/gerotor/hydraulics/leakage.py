"""Leakage between two ports: turbulent or laminar. Internal 1 to 2, external from a port to the case."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.hydraulics.oil import FLOW, PRESSURE
from gerotor.maths import smooth


@dataclass(frozen=True, kw_only=True)
class TurbulentLeakage(Component):
    """Leakage through a short gap.

    Q = C sr(p1 - p2),   sr the signed root of width eps                                (1)
    Source: [kim2021, eq. 2]; the sign follows p1 - p2, not the spool.
    """

    gain: Expression = param("m^3/s/Pa^0.5", "C, leakage gain", least=0)
    transition_pressure: Expression = param("Pa", "eps, drop below which the flow is laminar", above=0, default=1e3)

    inputs = signals(p1=PRESSURE, p2=PRESSURE)
    outputs = signals(Q=FLOW)

    def output(self, x: Signals, u: Signals) -> Signals:
        return Signals(Q=self.gain * smooth.signed_root(u.p1 - u.p2, self.transition_pressure))  # (1)


@dataclass(frozen=True, kw_only=True)
class LaminarLeakage(Component):
    """Leakage through a long narrow gap.

    Q = C (p1 - p2)                                                                     (1)
    Source: [papadopoulos2002, appendix] with C = 1 / R.
    """

    conductance: Expression = param("m^3/s/Pa", "C, leakage flow per pressure", least=0)

    inputs = signals(p1=PRESSURE, p2=PRESSURE)
    outputs = signals(Q=FLOW)

    def output(self, x: Signals, u: Signals) -> Signals:
        return Signals(Q=self.conductance * (u.p1 - u.p2))  # (1)
