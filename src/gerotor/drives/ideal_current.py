"""Ideal current loop: the current is the reference, within its limit."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.maths import smooth


@dataclass(frozen=True, kw_only=True)
class IdealCurrent(Component):
    """i = clip(r, -i_max, i_max)                                                         (1)

    Source: limit of [aarts2004, sec. 5] for a fast loop.
    """

    max_current: Expression = param("A", "i_max, limit of the amplifier", above=0)

    inputs = signals(r="A")
    outputs = signals(i="A")

    def output(self, x: Signals, u: Signals) -> Signals:
        return Signals(i=smooth.clip(u.r, -self.max_current, self.max_current))  # (1)
