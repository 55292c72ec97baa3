"""Servo valve with a spool of second order."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Expression, Signal, Signals, param, signals
from gerotor.hydraulics.spool_valve import RatedValve


@dataclass(frozen=True, kw_only=True)
class ServoValve(RatedValve):
    """Four-way valve, current to spool to port flows.

    x'' = wn^2 (c - x) - 2 zeta wn x',   c the commanded spool, -1 .. 1                  (1)
    Source: [kim2021, eq. 1]. Valid within the valve's bandwidth and flow saturation.
    """

    natural_frequency: Expression = param("rad/s", "wn, natural frequency of the spool", above=0)
    damping: Expression = param("1", "zeta, damping ratio of the spool", above=0)

    states = signals(x=Signal("1", lower=-5, upper=5), v=Signal("1/s", scale=100.0))
    motion = (("x", "v"),)

    def derivative(self, x: Signals, u: Signals) -> Signals:
        wn = self.natural_frequency
        return Signals(v=wn * wn * (self.command(u.i) - x.x) - 2 * self.damping * wn * x.v)  # (1)
