"""Pump of fixed displacement: a flow source with leakage."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.hydraulics.oil import FLOW, PRESSURE


@dataclass(frozen=True, kw_only=True)
class Pump(Component):
    """Delivers Q from tank pressure pt to ps, driven at speed w. At constant speed and without
    leakage it is an ideal flow source.

    Q = D w - G (ps - pt)                                                                 (1)
    tau = D (ps - pt) / eta                                                               (2)
    Source: power balance of a displacement machine; tau is the torque it asks of its drive.
    """

    displacement: Expression = param("m^3/rad", "D, swept volume per radian", above=0)
    leakage: Expression = param("m^3/s/Pa", "G, laminar leakage from ps back to pt", least=0, default=0.0)
    efficiency: Expression = param("1", "eta, mechanical efficiency", above=0, most=1, default=1.0)

    inputs = signals(w="rad/s", ps=PRESSURE, pt=PRESSURE)
    outputs = signals(Q=FLOW, tau="N*m")

    def output(self, x: Signals, u: Signals) -> Signals:
        drop = u.ps - u.pt
        return Signals(
            Q=self.displacement * u.w - self.leakage * drop,  # (1)
            tau=self.displacement * drop / self.efficiency,  # (2)
        )
