"""LuGre friction: bristles that bend before they slip."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Expression, Signal, Signals, param, signals
from gerotor.maths import smooth
from gerotor.mechanics.friction import Friction

FINE = 1e-3  # error of z in a step, in Fs / s0: when a body breaks away hangs on little


@dataclass(frozen=True, kw_only=True)
class LuGre(Friction):
    """Bristle friction; sign and units as for every `Friction`.

    z' = v - |v| z / g(v)                                                                (1)
    s0 g(v) = Fc + (Fs - Fc) exp(-(|v| / vs)^d)                                          (2)
    F = s0 z + s1 z' + s2 v                                                              (3)
    Steady sliding: F = s0 g(v) sgn(v) + s2 v. Presliding: a spring s0. |z| stays below Fs / s0.
    For v < 0 other levels Fc, Fs may be given; g then jumps at v = 0, (1) does not.
    Source: [kim2021, eq. 5], [aarts2004, eqs. 17-19]. s1 constant: not strictly passive.
    """

    coulomb: Expression = param("N", "Fc, Coulomb level", above=0)
    static: Expression = param("N", "Fs, breakaway level", above=0)
    stribeck_velocity: Expression = param("m/s", "vs, velocity of the Stribeck drop", above=0)
    stiffness: Expression = param("N/m", "s0, bristle stiffness", above=0)
    damping: Expression = param("N*s/m", "s1, bristle damping", least=0)
    viscous: Expression = param("N*s/m", "s2, viscous friction", least=0)
    exponent: float = param("1", "d, exponent of the Stribeck curve", above=0, default=2.0)
    coulomb_backward: Expression = param("N", "Fc for v < 0; as for v > 0 if not given", above=0, default=None)
    static_backward: Expression = param("N", "Fs for v < 0; as for v > 0 if not given", above=0, default=None)

    @property
    def states(self) -> dict[str, Signal]:  # type: ignore[override]
        known = isinstance(self.static, int | float) and isinstance(self.stiffness, int | float)
        scale = self.static / self.stiffness if known else 1e-5
        return signals(z=Signal("rad" if self.rotary else "m", scale=scale, tolerance=FINE * scale))

    def bounds(self) -> dict[str, tuple[Expression, Expression]]:
        """z' has the sign of v - |v| z / g(v): at |z| = Fs / s0 >= g it points inwards."""
        forward, backward = self.static, self.static if self.static_backward is None else self.static_backward
        return {"z": (-1 / self.stiffness * backward, 1 / self.stiffness * forward)}

    def level(self, v: Expression) -> Expression:
        """s0 g(v): the friction of slow steady sliding, unsigned."""
        coulomb = _by_direction(v, self.coulomb, self.coulomb_backward)
        static = _by_direction(v, self.static, self.static_backward)
        ratio = v * (1 / self.stribeck_velocity)
        power = ratio * ratio if self.exponent == 2 else ca.exp(self.exponent / 2 * ca.log(ratio * ratio + 1e-18))
        power = ca.if_else(power < 50, power, 50)  # exp(-50) is 0 here, and nothing underflows
        share = ca.exp(-power)
        return coulomb * (1 - share) + static * share  # (2), never 0 by round-off

    def rate(self, z: Expression, v: Expression) -> Expression:
        return v - smooth.absolute(v) * z * (self.stiffness * (1 / self.level(v)))  # (1), one division for all derivatives

    def output(self, x: Signals, u: Signals) -> Signals:
        return Signals(F=self.stiffness * x.z + self.damping * self.rate(x.z, u.v) + self.viscous * u.v)  # (3)

    def derivative(self, x: Signals, u: Signals) -> Signals:
        return Signals(z=self.rate(x.z, u.v))


def _by_direction(v: Expression, forward: Expression, backward: Expression | None) -> Expression:
    return forward if backward is None else ca.if_else(v >= 0, forward, backward)
