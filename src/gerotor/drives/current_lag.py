"""Current loop as a lag of first order."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.maths import smooth


@dataclass(frozen=True, kw_only=True)
class CurrentLag(Component):
    """A closed current loop seen from outside.

    di/dt = w_c (clip(r, -i_max, i_max) - i)                                              (1)
    Source: [aarts2004, sec. 5]: the current loop; held over a sample T it is
    i + (1 - exp(-w_c T)) (r - i).
    """

    bandwidth: Expression = param("rad/s", "w_c, bandwidth of the loop", above=0)
    max_current: Expression = param("A", "i_max, limit of the amplifier", above=0)

    states = signals(i="A")
    inputs = signals(r="A")

    def derivative(self, x: Signals, u: Signals) -> Signals:
        return Signals(i=self.bandwidth * (smooth.clip(u.r, -self.max_current, self.max_current) - x.i))  # (1)
