"""Cylinder across a revolute joint: the triangle pivot, base eye, rod eye."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.errors import ParameterError


@dataclass(frozen=True, kw_only=True)
class TwoBar(Component):
    """Joint angle q and speed w to cylinder length l and speed v; cylinder force F to joint torque.

    psi = psi_0 + sigma q,   l^2 = (a - b)^2 + 4 a b sin^2(psi / 2)                          (1)
    J = dl/dq = sigma a b sin(psi) / l                                                     (2)
    K = dJ/dq = a b cos(psi) / l - (a b sin(psi))^2 / l^3                                  (3)
    v = J w,   tau = J F                                                                  (4)
    Source: law of cosines; [papadopoulos2002, eq. 4]. The lever arm J vanishes at the dead
    centres psi = 0 and pi: keep the joint's range away from them. l is kept above 1e-8 (a + b).
    """

    base_distance: Expression = param("m", "a, pivot to base eye", above=0)
    rod_distance: Expression = param("m", "b, pivot to rod eye", above=0)
    angle: Expression = param("rad", "psi_0, angle between the two at q = 0")
    direction: int = param("1", "sigma, +1 where the angle grows with q, -1 where it shrinks", default=1)

    inputs = signals(q="rad", w="rad/s", F="N")
    outputs = signals(l="m", v="m/s", tau="N*m", J="m/rad", K="m/rad^2")

    def check(self, path: str) -> None:
        super().check(path)
        if self.direction not in (1, -1):
            raise ParameterError(f"{path}.direction = {self.direction}: must be 1 or -1")

    def output(self, x: Signals, u: Signals) -> Signals:
        a, b = self.base_distance, self.rod_distance
        psi = self.angle + self.direction * u.q
        half, least = ca.sin(psi / 2), 1e-8 * (a + b)
        l = ca.sqrt((a - b) ** 2 + 4 * a * b * half * half + least * least)  # (1)
        lever = a * b * ca.sin(psi) / l
        J = self.direction * lever  # (2)
        return Signals(l=l, v=J * u.w, tau=J * u.F, J=J, K=(a * b * ca.cos(psi) - lever * lever) / l)  # (3), (4)
