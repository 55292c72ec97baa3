"""Chamber: oil in a fixed volume turns net flow into pressure."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.hydraulics.oil import FLOW, PRESSURE, Oil


@dataclass(frozen=True, kw_only=True)
class Chamber(Component):
    """A hose, a port, a manifold: one pressure.

    dp/dt = B(p) / V Q                                                                  (1)
    Source: [kim2021, eq. 3] with V constant (the ports of a rotary motor do not grow),
    [khadim2021, eq. 8]. Valid above vapour pressure; below, p may become negative.
    """

    volume: Expression = param("m^3", "V, oil volume", above=0)
    oil: Oil

    states = signals(p=PRESSURE)
    inputs = signals(Q=FLOW)

    def derivative(self, x: Signals, u: Signals) -> Signals:
        return Signals(p=self.oil.modulus(x.p) / self.volume * u.Q)  # (1)
