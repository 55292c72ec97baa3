"""Coulomb and viscous friction, smoothed, without a state."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Expression, Signals, param
from gerotor.maths import smooth
from gerotor.mechanics.friction import Friction


@dataclass(frozen=True, kw_only=True)
class CoulombViscous(Friction):
    """Dry and viscous friction; sign and units as for every `Friction`.

    F = Fc v / sqrt(v^2 + w^2) + b v                                                      (1)
    Source: textbook law with the sign smoothed over the velocity w. Creeps under load at rest.
    """

    coulomb: Expression = param("N", "Fc, Coulomb level", least=0)
    viscous: Expression = param("N*s/m", "b, viscous friction", least=0)
    transition_velocity: Expression = param("m/s", "w, velocity of the change of sign", above=0)

    def output(self, x: Signals, u: Signals) -> Signals:
        return Signals(F=self.coulomb * smooth.sign(u.v, self.transition_velocity) + self.viscous * u.v)  # (1)
