"""Dynamics of a parallel platform with its six two-part legs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca

from gerotor.core.component import Component, Expression, Signal, Signals, param, signals
from gerotor.mechanics.roll_pitch_yaw import attitude
from gerotor.mechanics.stewart import StewartGeometry

_POSE = ("x", "y", "z", "roll", "pitch", "yaw")
_POSE_UNITS = ("m",) * 3 + ("rad",) * 3
_RATE_UNITS = ("m/s",) * 3 + ("rad/s",) * 3
_LEGS = ("1", "2", "3", "4", "5", "6")


@dataclass(frozen=True, kw_only=True)
class StewartPlatform(Component):
    """Platform, cylinder and rod of every leg, and the drives' reflected inertia, from the kinetic energy.

    With J of the geometry, T the map from q' to (v ; w), J_a = [I  -(R a)~], J_q = J T:
      M_s = [m I, -m c~; m c~, R I_P R^T] + sum J_a^T [m_rod n n^T + I_eq / l^2 (I - n n^T)] J_a     (1)
      I_eq = I_cyl + m_cyl c_cyl^2 + I_rod + m_rod (l - c_rod)^2                                       (2)
      M = T^T M_s T + m_drive J_q^T J_q                                                                (3)
      M q'' = J_q^T f + T^T (F ; M_P) - d(M q')/dq q' + 1/2 d(q'^T M q')/dq - dV/dq                    (4)
    f pushes; F and M_P act on the platform at P in base axes. Leg spin about its own axis neglected.
    Source: [yu2018, fig. 6], written out from Lagrange's equations. Away from singular poses.
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

    motion = (("q", "v"),)
    inputs = signals(
        f=Signal("N", _LEGS), F=Signal("N", ("x", "y", "z")), M=Signal("N m", ("x", "y", "z")),
    )
    outputs = signals(
        l=Signal("m", _LEGS), l_rate=Signal("m/s", _LEGS), twist=Signal("m/s", _POSE, units=_RATE_UNITS),
    )

    @property
    def states(self) -> dict[str, Signal]:  # type: ignore[override]
        return signals(
            q=Signal("m", _POSE, units=_POSE_UNITS, start=self.home), v=Signal("m/s", _POSE, units=_RATE_UNITS),
        )

    def output(self, x: Signals, u: Signals) -> Signals:
        twist = self.geometry.rate_map(x.q) @ x.v
        return Signals(l=self.geometry.lengths(x.q), l_rate=self.geometry.jacobian(x.q) @ twist, twist=twist)

    def mass_matrix(self, q: Expression) -> Expression:
        """M_s + m_drive J^T J in the velocities (v ; w)."""
        g = self.geometry
        R, legs, J = attitude(q[3:]), g.legs(q), g.jacobian(q)
        c = ca.skew(R @ ca.vertcat(*self.centre))
        inertia = R @ ca.diag(ca.vertcat(*self.inertia)) @ R.T
        M = ca.blockcat([[self.platform_mass * ca.SX.eye(3), -self.platform_mass * c], [self.platform_mass * c, inertia]])  # (1)
        for k in range(6):
            l = ca.norm_2(legs[:, k])
            arm = ca.horzcat(ca.SX.eye(3), -ca.skew(R @ ca.vertcat(*g.platform[k])))
            i_eq = self.cylinder_inertia + self.cylinder_mass * self.cylinder_centre**2 + self.rod_inertia
            across = (i_eq + self.rod_mass * (l - self.rod_centre) ** 2) / l**2  # (2)
            M += (self.rod_mass - across + self.drive_mass) * J[k, :].T @ J[k, :] + across * arm.T @ arm  # (1), (3)
        return M

    def _potential(self, q: Expression) -> Expression:
        height = self.platform_mass * (q[2] + (attitude(q[3:]) @ ca.vertcat(*self.centre))[2])
        legs = self.geometry.legs(q)
        for k in range(6):
            l = ca.norm_2(legs[:, k])
            base = (self.cylinder_mass + self.rod_mass) * self.geometry.base[k][2]
            height += base + (self.cylinder_mass * self.cylinder_centre + self.rod_mass * (l - self.rod_centre)) * legs[2, k] / l
        return self.gravity * height

    @cached_property
    def _dynamics(self) -> Any:
        """(q, v) -> M and the velocity and gravity forces of (4)."""
        q, v = ca.SX.sym("q", 6), ca.SX.sym("v", 6)
        T = self.geometry.rate_map(q)
        M = T.T @ self.mass_matrix(q) @ T  # (3)
        momentum = M @ v
        bias = ca.jtimes(momentum, q, v) - ca.gradient(ca.dot(momentum, v), q) / 2 + ca.gradient(self._potential(q), q)
        return ca.Function("platform", [q, v], [M, bias], {"cse": True})

    def mass(self, x: Signals, u: Signals) -> Expression:
        return self._dynamics(x.q, x.v)[0]  # (3)

    def derivative(self, x: Signals, u: Signals) -> Signals:
        T = self.geometry.rate_map(x.q)
        wrench = self.geometry.jacobian(x.q).T @ u.f + ca.vertcat(u.F, u.M)
        return Signals(v=T.T @ wrench - self._dynamics(x.q, x.v)[1])  # (4)
