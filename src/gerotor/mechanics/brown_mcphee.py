"""Brown-McPhee friction: a smooth Stribeck curve without a state."""

from __future__ import annotations

import math
from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Expression, Signals, param
from gerotor.mechanics.friction import Friction


@dataclass(frozen=True, kw_only=True)
class BrownMcPhee(Friction):
    """Stribeck friction; sign and units as for every `Friction`.

    F = Fc tanh(4 r) + (Fs - Fc) r / (r^2 / 4 + 3 / 4)^2 + b v tanh(4),   r = v / vs          (1)
    Source: [khadim2021, eq. 14], rewritten without sign and norm. Zero at rest: it never holds a
    load.
    """

    coulomb: Expression = param("N", "Fc, Coulomb level", least=0)
    static: Expression = param("N", "Fs, level near v = vs", least=0)
    stribeck_velocity: Expression = param("m/s", "vs, velocity of the Stribeck peak", above=0)
    viscous: Expression = param("N*s/m", "b, viscous friction", least=0)
    rotary: bool = False

    def output(self, x: Signals, u: Signals) -> Signals:
        r = u.v / self.stribeck_velocity
        bell = r * r / 4 + 0.75
        stribeck = (self.static - self.coulomb) * r / (bell * bell)
        return Signals(F=self.coulomb * ca.tanh(4 * r) + stribeck + self.viscous * u.v * math.tanh(4))  # (1)
