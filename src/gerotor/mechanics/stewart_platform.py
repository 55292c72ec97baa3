"""Dynamics of a parallel platform with its six two-part legs."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Component, Expression, Signal, Signals, param, signals
from gerotor.mechanics.roll_pitch_yaw import attitude
from gerotor.mechanics.stewart import StewartGeometry, pose_rate

_POSE = ("x", "y", "z", "roll", "pitch", "yaw")
_TWIST = ("vx", "vy", "vz", "wx", "wy", "wz")
_POSE_UNITS = ("m",) * 3 + ("rad",) * 3
_RATE_UNITS = ("m/s",) * 3 + ("rad/s",) * 3
_LEGS = ("1", "2", "3", "4", "5", "6")


@dataclass(frozen=True, kw_only=True)
class StewartPlatform(Component):
    """Platform, cylinder and rod of every leg, and the drives' reflected inertia, by virtual power.

    With J of the geometry, T the map from q' to the twist (v ; w), J_a = [I  -(R a)~], u = v + w x R a the velocity of a leg's
    upper joint, s = n . u its part along the leg, u_n = u - s n across it, m_l = m_rod + m_drive:
      I = I_cyl + m_cyl c_cyl^2 + I_rod + m_rod (l - c_rod)^2,   I' = 2 m_rod (l - c_rod)              (1)
      M_s = [m 1, -m c~; m c~, R I_P R^T] + sum J_a^T [m_l n n^T + I / l^2 (1 - n n^T)] J_a            (2)
      h = (m w x (w x c) ; w x R I_P R^T w) + sum J_a^T f_h                                            (3)
      f_h = (m_l - I / l^2) (n . b) n + I / l^2 b + (m_l / l - I' / (2 l^2)) u_n^2 n
            + (I' - 2 I / l) s / l^2 u_n,   b = w x (w x R a)                                          (4)
      f_g = g [(A / l) (z - n_z n) + m_rod n_z n],   A = m_cyl c_cyl + m_rod (l - c_rod)               (5)
      T q' = (v ; w),   M_s (v ; w)' = J^T f + (F ; M_P) - h - (m g z ; c x m g z) - sum J_a^T f_g     (6)
    f pushes; F and M_P act on the platform at P in base axes. Leg spin about its own axis neglected.
    Source: [yu2018, fig. 6], written out for each leg from its kinetic energy. Away from singular poses.
    """

    geometry: StewartGeometry
    platform_mass: float = param("kg", "m, platform with adaptor", above=0)
    centre: tuple[float, float, float] = param("m", "c, centre of mass from P in platform axes")
    inertia: tuple[float, float, float] = param("kg m^2", "I_P, principal moments about P in platform axes", above=0)
    cylinder_mass: float = param("kg", "m_cyl, fixed part of a leg", least=0)
    cylinder_centre: float = param("m", "c_cyl, its centre of mass from the base joint", least=0)
    cylinder_inertia: float = param("kg m^2", "I_cyl, about its centre of mass, across the leg", least=0)
    rod_mass: float = param("kg", "m_rod, moving part of a leg", least=0)
    rod_centre: float = param("m", "c_rod, its centre of mass from the platform joint", least=0)
    rod_inertia: float = param("kg m^2", "I_rod, about its centre of mass, across the leg", least=0)
    drive_mass: float = param("kg", "m_drive, rotor inertia reflected to the leg", least=0)
    gravity: float = param("m/s^2", "g, along -z of the base; 0 where the weight is balanced", least=0)
    home: tuple[float, ...] = param("m", "q at rest: position in m, angles in rad")

    inputs = signals(
        f=Signal("N", _LEGS), F=Signal("N", ("x", "y", "z")), M=Signal("N m", ("x", "y", "z")),
    )
    outputs = signals(
        l=Signal("m", _LEGS), l_rate=Signal("m/s", _LEGS),
    )

    @property
    def states(self) -> dict[str, Signal]:  # type: ignore[override]
        return signals(
            q=Signal("m", _POSE, units=_POSE_UNITS, start=self.home), twist=Signal("m/s", _TWIST, units=_RATE_UNITS),
        )

    def output(self, x: Signals, u: Signals) -> Signals:
        l, n, arms = self.geometry.legs(x.q)
        v, w = x.twist[:3], x.twist[3:]
        return Signals(l=l, l_rate=ca.vertcat(*[ca.dot(n[:, k], v + ca.cross(w, arms[:, k])) for k in range(6)]))

    def mass_matrix(self, q: Expression) -> Expression:
        """M_s of (2) in the velocities (v ; w)."""
        return self._inertia(q, ca.SX.zeros(6), ca.SX.zeros(6))[0]

    def _inertia(self, q: Expression, twist: Expression, push: Expression) -> tuple[Expression, Expression]:
        """M_s of (2), and the right side of (6) but for F and M_P."""
        R, J = attitude(q[3:]), self.geometry.jacobian(q)
        lengths, directions, arms = self.geometry.legs(q)
        v, w = twist[:3], twist[3:]
        c, up = R @ ca.vertcat(*self.centre), ca.DM([0, 0, self.gravity])
        tensor = R @ ca.diag(ca.vertcat(*self.inertia)) @ R.T
        m = self.platform_mass
        linear, coupling, angular = ca.SX(m), m * c, tensor
        along = ca.SX.zeros(6, 6)
        force = -m * (ca.cross(w, ca.cross(w, c)) + up)
        moment = -ca.cross(w, tensor @ w) - ca.cross(c, m * up)
        for k in range(6):
            l, n, arm = lengths[k], directions[:, k], arms[:, k]
            near = 1 / l
            reach = l - self.rod_centre
            own = self.cylinder_inertia + self.cylinder_mass * self.cylinder_centre**2 + self.rod_inertia
            inertia, slope = own + self.rod_mass * reach**2, 2 * self.rod_mass * reach  # (1)
            across, lengthwise = inertia * near**2, self.rod_mass + self.drive_mass
            along += ((lengthwise - across) * J[k, :].T) @ J[k, :]  # (2)
            linear += across
            coupling += across * arm
            angular += ca.dot(across * arm, arm) * ca.SX.eye(3) - (across * arm) @ arm.T
            u, b = v + ca.cross(w, arm), ca.cross(w, ca.cross(w, arm))
            s = ca.dot(n, u)
            side = u - s * n
            bend = slope * near**2
            outward = (lengthwise - across) * ca.dot(n, b) + (lengthwise * near - 0.5 * bend) * ca.dot(side, side)
            moment_arm = (self.cylinder_mass * self.cylinder_centre + self.rod_mass * reach) * near
            outward += (self.rod_mass - moment_arm) * self.gravity * n[2]  # (5)
            f = (push[k] - outward) * n - across * b - (bend - 2 * across * near) * s * side - moment_arm * up  # (4), (5)
            force, moment = force + f, moment + ca.cross(arm, f)  # (3)
        cross = ca.skew(coupling)
        M = along + ca.blockcat([[linear * ca.SX.eye(3), -cross], [cross, angular]])  # (2)
        return ca.tril2symm(ca.tril(M)), ca.vertcat(force, moment)

    def derivative(self, x: Signals, u: Signals) -> Signals:
        M, wrench = self._inertia(x.q, x.twist, u.f)
        D, L, order = ca.ldl(M, False)
        return Signals(q=pose_rate(x.q, x.twist), twist=ca.ldl_solve(wrench + ca.vertcat(u.F, u.M), D, L, order))  # (6)
