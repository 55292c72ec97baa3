"""Cylinder between any two points in space."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Component, Expression, Signal, Signals, param, signals

AXES = ("x", "y", "z")


@dataclass(frozen=True, kw_only=True)
class TwoPoint(Component):
    """Positions r1, r2 and velocities v1, v2 of the eyes to length, speed and force vector.

    s = r2 - r1,   l = |s|,   e = s / l                                                    (1)
    v = e . (v2 - v1),   f = F e                                                           (2)
    f acts on the body of point 2, -f on that of point 1. F > 0 pushes them apart.
    Source: [khadim2021, eqs. 33 and 36] put right. l is never below the least length.
    """

    least_length: Expression = param("m", "keeps the direction finite where the points meet", above=0, default=1e-6)

    inputs = signals(
        r1=Signal("m", names=AXES), r2=Signal("m", names=AXES), v1=Signal("m/s", names=AXES), v2=Signal("m/s", names=AXES), F="N"
    )
    outputs = signals(l="m", v="m/s", f=Signal("N", names=AXES))

    def output(self, x: Signals, u: Signals) -> Signals:
        s = u.r2 - u.r1
        l = ca.sqrt(ca.dot(s, s) + self.least_length**2)
        e = s / l  # (1)
        return Signals(l=l, v=ca.dot(e, u.v2 - u.v1), f=u.F * e)  # (2)
