"""Six-degree-of-freedom spring-damper between two bodies: a flexible arm, a bushing, a mount."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Component, Signal, Signals, param, signals
from gerotor.mechanics.roll_pitch_yaw import attitude, euler_rates

_AXES = ("x", "y", "z")
_SIX = ("x", "y", "z", "rx", "ry", "rz")


@dataclass(frozen=True, kw_only=True)
class SpringDamperJoint(Component):
    """Massless element from point B of body a to point A of body b; one wrench acts at A on both bodies.

      e = (S + R r_A - r_B - r_0 ; phi),   e' = (V + R (w_ba x r_A) ; phi')               (1)
      (F ; M) = K e + C e'        in the axes of a, on body a at A; body b gets the opposite (2)
    Source: [yu2018, eqs 8-12]; the rate (1) is the time derivative of the deformation.
    Valid for small rotations (angles serve as torsion).
    """

    tip: tuple[float, float, float] = param("m", "r_A, point A in the axes of b, from its centroid")
    base: tuple[float, float, float] = param("m", "r_B, point B in the axes of a, from its centroid")
    rest: tuple[float, float, float] = param("m", "r_0, from B to A when undeformed, in the axes of a")
    stiffness: tuple[float, ...] = param("N/m", "K: x, y, z in N/m, then about x, y, z in N m/rad", least=0)
    damping: tuple[float, ...] = param("N s/m", "C: x, y, z in N s/m, then about x, y, z in N m s/rad", least=0)

    inputs = signals(
        S=Signal("m", _AXES), V=Signal("m/s", _AXES), phi=Signal("rad", _AXES),
        w_a=Signal("rad/s", _AXES), w_b=Signal("rad/s", _AXES),
    )
    outputs = signals(
        e=Signal("m", _SIX, units=("m",) * 3 + ("rad",) * 3),
        F_a=Signal("N", _AXES), M_a=Signal("N m", _AXES), F_b=Signal("N", _AXES), M_b=Signal("N m", _AXES),
    )

    def output(self, x: Signals, u: Signals) -> Signals:
        r_A, r_B, r_0 = ca.vertcat(*self.tip), ca.vertcat(*self.base), ca.vertcat(*self.rest)
        R = attitude(u.phi)
        w = u.w_b - R.T @ u.w_a
        lever = u.S + R @ r_A
        e = ca.vertcat(lever - r_B - r_0, u.phi)  # (1)
        rate = ca.vertcat(u.V + R @ ca.cross(w, r_A), euler_rates(u.phi, w))  # (1)
        wrench = ca.vertcat(*self.stiffness) * e + ca.vertcat(*self.damping) * rate  # (2)
        F, M = wrench[:3], wrench[3:]
        return Signals(
            e=e, F_a=F, M_a=ca.cross(lever, F) + M, F_b=-R.T @ F, M_b=-ca.cross(r_A, R.T @ F) - R.T @ M,
        )
