"""What all friction laws share: a force over a velocity, at a slide or at a revolute joint."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Component, Signal, signals


@dataclass(frozen=True, kw_only=True)
class Friction(Component):
    """Friction force F that opposes the velocity v: subtract it from the driving force.

    Parameters have the units of a slide; at a revolute joint (`rotary`) read N*m for N and rad for m.
    """

    rotary: bool = True

    @property
    def inputs(self) -> dict[str, Signal]:  # type: ignore[override]
        return signals(v="rad/s" if self.rotary else "m/s")

    @property
    def outputs(self) -> dict[str, Signal]:  # type: ignore[override]
        return signals(F="N*m" if self.rotary else "N")
