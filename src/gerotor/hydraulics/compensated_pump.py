"""Pressure-compensated pump: gives what is asked until its pressure is reached."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.hydraulics.oil import FLOW, PRESSURE
from gerotor.maths import smooth


@dataclass(frozen=True, kw_only=True)
class CompensatedPump(Component):
    """Variable displacement, cut back over the pressure band below the set pressure.

    T dQ/dt = Q_max clip((p_set - ps) / band, 0, 1) - Q                                   (1)
    Source: derived from the usual data sheet: full flow up to p_set - band, none at p_set,
    a swash plate of one time constant.
    """

    set_pressure: Expression = param("Pa", "p_set, pressure of zero flow", above=0)
    band: Expression = param("Pa", "pressure over which the flow is cut back", above=0)
    full_flow: Expression = param("m^3/s", "Q_max, flow at full displacement", above=0)
    time_constant: Expression = param("s", "T, of the displacement control", above=0)

    states = signals(Q=FLOW)
    inputs = signals(ps=PRESSURE)

    def derivative(self, x: Signals, u: Signals) -> Signals:
        asked = self.full_flow * smooth.clip((self.set_pressure - u.ps) / self.band, 0, 1)
        return Signals(Q=(asked - x.Q) / self.time_constant)  # (1)
