"""Servo valve with a spool of first order."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Expression, Signal, Signals, param, signals
from gerotor.hydraulics.spool_valve import RatedValve


@dataclass(frozen=True, kw_only=True)
class FirstOrderServoValve(RatedValve):
    """Four-way valve whose spool follows the command with one time constant.

    x' = (c - x) / T,   c the commanded spool, -1 .. 1                                   (1)
    Source: [khadim2021, eq. 11]. Valid well below the frequency 1 / T.
    """

    time_constant: Expression = param("s", "T, time constant of the spool", above=0)

    states = signals(x=Signal("1", lower=-5, upper=5))

    def derivative(self, x: Signals, u: Signals) -> Signals:
        return Signals(x=(self.command(u.i) - x.x) / self.time_constant)  # (1)
