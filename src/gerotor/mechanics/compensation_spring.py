"""Gravity-compensation spring across a revolute joint."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.errors import ParameterError


@dataclass(frozen=True, kw_only=True)
class CompensationSpring(Component):
    """Spring between an anchor at distance a from the axis and one at distance b on the moving link.

    l = sqrt(a^2 + b^2 - 2 a b cos q),   e = l - |a - b|                                   (1)
    s = s0 + k e                                                                          (2)
    tau = -s dl/dq = -s a b sin(q) / l                                                    (3)
    Both anchors stand on the same side of the axis at q = 0, where l is least and e = 0. With
    s0 = k |a - b| the free length is 0 and tau = -k a b sin q.
    Source: [aarts2004, eqs. 2, 6 and 7]; the printed eq. 4 means the rate of e. Geometry ours.
    Valid for a != b: with a = b the spring has no length at q = 0.
    """

    fixed_anchor: Expression = param("m", "a, from the axis, on the carrying link", above=0)
    moving_anchor: Expression = param("m", "b, from the axis, on the moving link", above=0)
    stiffness: Expression = param("N/m", "k", above=0)
    pretension: Expression = param("N", "s0, tension at q = 0", least=0)

    inputs = signals(q="rad")
    outputs = signals(tau="N*m", e="m", s="N")

    def check(self, path: str) -> None:
        super().check(path)
        if isinstance(self.fixed_anchor, int | float) and self.fixed_anchor == self.moving_anchor:
            raise ParameterError(f"{path}.moving_anchor = {self.moving_anchor:g} m: must differ from fixed_anchor")

    def output(self, x: Signals, u: Signals) -> Signals:
        a, b = self.fixed_anchor, self.moving_anchor
        length = ca.sqrt(a * a + b * b - 2 * a * b * ca.cos(u.q))  # (1)
        e = length - ca.fabs(a - b)
        s = self.pretension + self.stiffness * e  # (2)
        return Signals(tau=-s * a * b * ca.sin(u.q) / length, e=e, s=s)  # (3)
