"""Wire-rope contact: three orthogonal spring-dampers at one point."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Component, Expression, Signal, Signals, param, signals

_AXES = ("x", "y", "z")


@dataclass(frozen=True, kw_only=True)
class Rope(Component):
    """Force of three spring-dampers, constant or stiffening with deformation, per axis:

      k(l) = k0 (1 + (l / s)^2),   F = integral of k dl + c v = k0 (l + l^3 / (3 s^2)) + c v    (1)
    with 1/s = 0 for a constant rope. l runs from the anchor to the point, F acts on the anchor's body.
    Source: [yu2018, eq. 22, with the initial deformation counted; stiffening as fig. 28 reports]. Valid in tension and
    compression alike.
    """

    stiffness: tuple[float, ...] = param("N/m", "k0, per axis", least=0)
    damping: tuple[float, ...] = param("N s/m", "c, per axis", least=0)
    stiffening: float = param("1/m", "1/s, inverse deformation at which the stiffness has doubled", least=0, default=0.0)

    inputs = signals(l=Signal("m", _AXES), v=Signal("m/s", _AXES))
    outputs = signals(F=Signal("N", _AXES), k=Signal("N/m", _AXES), c=Signal("N s/m", _AXES))

    def _spring(self, l: Expression) -> tuple[Expression, Expression]:
        """Stiffness and spring force at deformation l."""
        k, bend = ca.vertcat(*self.stiffness), (l * self.stiffening) ** 2
        return k * (1 + bend), k * l * (1 + bend / 3)

    def output(self, x: Signals, u: Signals) -> Signals:
        k, force = self._spring(u.l)
        c = ca.vertcat(*self.damping)
        return Signals(F=force + c * u.v, k=k, c=c)  # (1)


@dataclass(frozen=True, kw_only=True)
class VaryingRope(Rope):
    """A rope whose stiffness and damping are both multiplied by 1 + g(t), per axis:

      F = k0 (l + l^3 / (3 s^2)) + f + (1 + g) c v,   f' = g k(l) v,   f(0) = 0              (2)
    The stiffness acts on new deformation only, so that an increment of force is k times an increment of deformation.
    Source: [yu2018, eq. 22 and section V.A.3]. Valid for g(0) = 0.
    """

    states = signals(f=Signal("N", _AXES))
    inputs = signals(l=Signal("m", _AXES), v=Signal("m/s", _AXES), g="1")

    def output(self, x: Signals, u: Signals) -> Signals:
        k, force = self._spring(u.l)
        c = (1 + u.g) * ca.vertcat(*self.damping)
        return Signals(F=force + x.f + c * u.v, k=(1 + u.g) * k, c=c)  # (2)

    def derivative(self, x: Signals, u: Signals) -> Signals:
        return Signals(f=u.g * self._spring(u.l)[0] * u.v)  # (2)


def triangle(t: Expression, period: float) -> Expression:
    """0 to 1 to 0 once a period, starting at 0."""
    phase = t / period - ca.floor(t / period)
    return 1 - ca.fabs(1 - 2 * phase)
