"""Gears of a whole arm, with coupling: one motor may turn with several joints."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Component, Expression, Signal, Signals, param, signals
from gerotor.errors import ParameterError


@dataclass(frozen=True, kw_only=True)
class GearMatrix(Component):
    """Joint velocities v to motor speeds w, motor torques tau to joint torques F.

    w = T v,   F = T' tau,   T = diag(n) + couplings                                       (1)
    Inertia at the joints of rotors J:   T' diag(J) T                                      (2)
    Source: [aarts2004, eqs. 8-11 and 13-15]. A coupling (motor, joint, value) is one more entry of
    T; motors and joints count from 0. Wrist of the RX90: (5, 4, n_6). Power is kept: F . v = tau . w.
    """

    ratios: tuple[Expression, ...] = param("1", "n, motor turns per turn of its own joint")
    couplings: tuple[tuple[int, int, Expression], ...] = param("1", "entries (motor, joint, value)", default=())

    def check(self, path: str) -> None:
        super().check(path)
        n = len(self.ratios)
        for motor, joint, _ in self.couplings:
            if not (0 <= motor < n and 0 <= joint < n):
                raise ParameterError(f"{path}.couplings has ({motor}, {joint}): motors and joints are 0 .. {n - 1}")
            if motor == joint:
                raise ParameterError(f"{path}.couplings has ({motor}, {joint}): the ratio of its own joint belongs into ratios")

    @property
    def inputs(self) -> dict[str, Signal]:  # type: ignore[override]
        return signals(v=Signal("rad/s", names=self._names), tau=Signal("N*m", names=self._names))

    @property
    def outputs(self) -> dict[str, Signal]:  # type: ignore[override]
        return signals(w=Signal("rad/s", names=self._names), F=Signal("N*m", names=self._names))

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(str(k + 1) for k in range(len(self.ratios)))

    @property
    def matrix(self) -> Expression:
        """T, motors by joints."""
        T = ca.diag(ca.vertcat(*[ca.SX(n) for n in self.ratios]))
        for motor, joint, value in self.couplings:
            T[motor, joint] = value
        return T

    def reflected(self, inertias: tuple[Expression, ...]) -> Expression:
        """Matrix (2) of rotor inertias [kg m^2], to be added to the mass matrix of the arm."""
        return ca.mtimes([self.matrix.T, ca.diag(ca.vertcat(*[ca.SX(J) for J in inertias])), self.matrix])

    def output(self, x: Signals, u: Signals) -> Signals:
        return Signals(w=ca.mtimes(self.matrix, u.v), F=ca.mtimes(self.matrix.T, u.tau))  # (1)
