"""Ball screw between a motor and a slide."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gerotor.core.component import Component, Expression, Signals, param, signals


@dataclass(frozen=True, kw_only=True)
class BallScrew(Component):
    """Stiff, without loss: friction is a part of its own.

    w = n v,   F = n tau,   n = 2 pi / lead                                               (1)
    Source: [kim2021, eqs. 3 and 4, table 2].
    """

    lead: Expression = param("m", "travel of the slide per turn of the screw", above=0)

    inputs = signals(v="m/s", tau="N*m")
    outputs = signals(w="rad/s", F="N")

    @property
    def ratio(self) -> Expression:
        """n in rad/m."""
        return 2 * math.pi / self.lead

    def output(self, x: Signals, u: Signals) -> Signals:
        return Signals(w=self.ratio * u.v, F=self.ratio * u.tau)  # (1)

    def reflected(self, inertia: Expression) -> Expression:
        """Mass at the slide of a rotor inertia [kg m^2]: n^2 J, in kg."""
        return self.ratio * self.ratio * inertia
