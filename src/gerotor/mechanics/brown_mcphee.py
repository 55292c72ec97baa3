"""Brown-McPhee friction: a smooth Stribeck curve without a state."""

from __future__ import annotations

import math
from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Component, Expression, Signal, Signals, param, signals


@dataclass(frozen=True, kw_only=True)
class BrownMcPhee(Component):
    """Friction force F that opposes the velocity v: subtract it from the driving force.

    F = Fc tanh(4 r) + (Fs - Fc) r / (r^2 / 4 + 3 / 4)^2 + b v tanh(4),   r = v / vs          (1)
    Source: [khadim2021, eq. 14], rewritten without sign and norm. Zero at rest: it never holds a
    load.

    Units are those of a slide; at a revolute joint (`rotary`) read N*m for N and rad for m.
    """

    coulomb: Expression = param("N", "Fc, Coulomb level", least=0)
    static: Expression = param("N", "Fs, level near v = vs", least=0)
    stribeck_velocity: Expression = param("m/s", "vs, velocity of the Stribeck peak", above=0)
    viscous: Expression = param("N*s/m", "b, viscous friction", least=0)
    rotary: bool = False

    @property
    def inputs(self) -> dict[str, Signal]:  # type: ignore[override]
        return signals(v="rad/s" if self.rotary else "m/s")

    @property
    def outputs(self) -> dict[str, Signal]:  # type: ignore[override]
        return signals(F="N*m" if self.rotary else "N")

    def output(self, x: Signals, u: Signals) -> Signals:
        r = u.v / self.stribeck_velocity
        bell = r * r / 4 + 0.75
        stribeck = (self.static - self.coulomb) * r / (bell * bell)
        return Signals(F=self.coulomb * ca.tanh(4 * r) + stribeck + self.viscous * u.v * math.tanh(4))  # (1)
