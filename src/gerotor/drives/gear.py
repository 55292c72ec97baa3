"""Reduction gear between a motor and a revolute joint."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.errors import ParameterError


@dataclass(frozen=True, kw_only=True)
class Gear(Component):
    """Stiff, without loss: friction is a part of its own.

    w = n v,   F = n tau                                                                  (1)
    Source: [kim2021, eqs. 3 and 4].
    """

    ratio: Expression = param("1", "n, motor turns per turn of the joint")

    inputs = signals(v="rad/s", tau="N*m")
    outputs = signals(w="rad/s", F="N*m")

    def check(self, path: str) -> None:
        super().check(path)
        if isinstance(self.ratio, int | float) and self.ratio == 0:
            raise ParameterError(f"{path}.ratio = 0: must not be 0")

    def output(self, x: Signals, u: Signals) -> Signals:
        return Signals(w=self.ratio * u.v, F=self.ratio * u.tau)  # (1)

    def reflected(self, inertia: Expression) -> Expression:
        """Inertia at the joint of a rotor inertia [kg m^2]: n^2 J."""
        return self.ratio * self.ratio * inertia
