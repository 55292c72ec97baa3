"""Coulomb and viscous friction, smoothed, without a state."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Component, Expression, Signal, Signals, param, signals
from gerotor.maths import smooth


@dataclass(frozen=True, kw_only=True)
class CoulombViscous(Component):
    """Friction force F that opposes the velocity v: subtract it from the driving force.

    F = Fc v / sqrt(v^2 + w^2) + b v                                                      (1)
    Source: textbook law with the sign smoothed over the velocity w. Creeps under load at rest.

    Units are those of a slide; at a revolute joint (`rotary`) read N*m for N and rad for m.
    """

    coulomb: Expression = param("N", "Fc, Coulomb level", least=0)
    viscous: Expression = param("N*s/m", "b, viscous friction", least=0)
    transition_velocity: Expression = param("m/s", "w, velocity of the change of sign", above=0)
    rotary: bool = True

    @property
    def inputs(self) -> dict[str, Signal]:  # type: ignore[override]
        return signals(v="rad/s" if self.rotary else "m/s")

    @property
    def outputs(self) -> dict[str, Signal]:  # type: ignore[override]
        return signals(F="N*m" if self.rotary else "N")

    def output(self, x: Signals, u: Signals) -> Signals:
        return Signals(F=self.coulomb * smooth.sign(u.v, self.transition_velocity) + self.viscous * u.v)  # (1)
