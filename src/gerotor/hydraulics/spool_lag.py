"""Spool that follows its command with one time constant."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Component, Expression, Signal, Signals, param, signals
from gerotor.maths import smooth


@dataclass(frozen=True, kw_only=True)
class SpoolLag(Component):
    """Relative spool position x of a proportional valve.

    x' = (clip(u, -1, 1) - x) / T                                                        (1)
    Source: [khadim2021, eq. 11] with the left side put right.
    """

    time_constant: Expression = param("s", "T, time constant of the spool", above=0)

    states = signals(x=Signal("1", lower=-5, upper=5))
    inputs = signals(u="1")

    def derivative(self, x: Signals, u: Signals) -> Signals:
        return Signals(x=(smooth.clip(u.u, -1, 1) - x.x) / self.time_constant)  # (1)
