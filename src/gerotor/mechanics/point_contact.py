"""A point of one body acting on another: its motion, and the wrench of its force on both."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Component, Signal, Signals, param, signals
from gerotor.mechanics.roll_pitch_yaw import attitude

_AXES = ("x", "y", "z")


@dataclass(frozen=True, kw_only=True)
class PointContact(Component):
    """Point O of body b, seen from an anchor D of body a; force F acts on a at O, the opposite on b.

      p = S + R r_O,   l = p - r_D,   v = V + R (w_ba x r_O),   w_ba = w_b - R^T w_a     (1)
      F_b = -R^T F,   M_b = R^T (S x F - M)                                              (2)
    all but F_b, M_b in the axes of a; moments about each body's centroid. M on a is p x F for a point, or as measured.
    Source: [yu2018, eqs 20-22 and 27], with the rate relative to a. Exact.
    """

    point: tuple[float, float, float] = param("m", "r_O, point O in the axes of b, from its centroid")
    anchor: tuple[float, float, float] = param("m", "r_D, point D in the axes of a, from its centroid")

    inputs = signals(
        S=Signal("m", _AXES), V=Signal("m/s", _AXES), phi=Signal("rad", _AXES),
        w_a=Signal("rad/s", _AXES), w_b=Signal("rad/s", _AXES), F=Signal("N", _AXES), M=Signal("N m", _AXES),
    )
    outputs = signals(
        p=Signal("m", _AXES), l=Signal("m", _AXES), v=Signal("m/s", _AXES), F_b=Signal("N", _AXES), M_b=Signal("N m", _AXES),
    )

    def output(self, x: Signals, u: Signals) -> Signals:
        R = attitude(u.phi)
        r_O = ca.vertcat(*self.point)
        p = u.S + R @ r_O  # (1)
        return Signals(
            p=p,
            l=p - ca.vertcat(*self.anchor),
            v=u.V + R @ ca.cross(u.w_b - R.T @ u.w_a, r_O),
            F_b=-R.T @ u.F,
            M_b=R.T @ (ca.cross(u.S, u.F) - u.M),  # (2)
        )
