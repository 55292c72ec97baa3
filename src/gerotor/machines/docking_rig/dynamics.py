"""The computed half: station, arm, end-effector and spacecraft, driven by the wrench of the contact."""

from __future__ import annotations

from typing import Any

import casadi as ca

from gerotor.assembly.system import Part, System
from gerotor.contact.rope import VaryingRope, triangle
from gerotor.control.force_compensation import compensate
from gerotor.core.component import Expression
from gerotor.core.ode import Ode
from gerotor.machines.docking_rig.parameters import AXES, BODIES, declare
from gerotor.machines.docking_rig.values import RigFile
from gerotor.mechanics.floating_bodies import FloatingBodies
from gerotor.mechanics.point_contact import PointContact
from gerotor.mechanics.roll_pitch_yaw import attitude
from gerotor.mechanics.spring_damper import SpringDamperJoint


def _bodies(system: System, rig: RigFile) -> tuple[Part, Part, Part, Expression]:
    """Bodies, arm and contact point, wired but for the contact's force and moment; velocity of the anchor."""
    p = declare(system, "dynamics")
    triples = tuple(tuple(p["inertia"][k] for _ in AXES) for k in range(3))
    bodies = system.add("bodies", FloatingBodies(names=BODIES, masses=tuple(p["mass"][k] for k in range(3)), inertias=triples))
    six = [tuple(p[key][k // 3] for k in range(6)) for key in ("arm_stiffness", "arm_damping")]
    points = {key: tuple(p[key][k] for k in range(3)) for key in ("tip", "base", "rest")}
    arm = system.add("arm", SpringDamperJoint(**points, stiffness=six[0], damping=six[1]))
    arm.connect(S=bodies.S_effector, V=bodies.V_effector, phi=bodies.phi_effector, w_a=bodies.w_station, w_b=bodies.w_effector)
    point = system.add("point", PointContact(
        point=rig.geometry["contact_point"].vector("m", "geometry.contact_point"),  # type: ignore[arg-type]
        anchor=rig.geometry["anchor"].vector("m", "geometry.anchor"),  # type: ignore[arg-type]
    ))
    return bodies, arm, point, p["drag"]


def _close(bodies: Part, arm: Part, point: Part, F: Expression, M: Expression, *, push: Expression = 0,
           turn: Expression = 0) -> None:
    """Contact and arm act on the bodies; `push` and `turn` are the craft's own thrusters."""
    point.connect(
        S=bodies.S_craft, V=bodies.V_craft, phi=bodies.phi_craft, w_a=bodies.w_effector, w_b=bodies.w_craft, F=F, M=M,
    )
    bodies.connect(
        F_station=arm.F_a, M_station=arm.M_a, F_effector=arm.F_b + F, M_effector=arm.M_b + M,
        F_craft=point.F_b + push, M_craft=point.M_b + turn,
    )


def _column(system: System, name: str, unit: str) -> Expression:
    return ca.vertcat(*[system.input(f"{name}.{a}", unit) for a in AXES])


def computed_half(rig: RigFile) -> Ode:
    """Inputs: measured wrench (F, M), motion of the contact point it belongs to (p, v), stiffness and damping (k, c) to carry
    it over to the computed motion; k = c = 0 and `carry` = 0 take the wrench as it is. The craft's thrusters push it
    (`thrust`) and hold its attitude to the end-effector's (`attitude.stiffness`, `attitude.damping`); 0: it drifts."""
    system = System(f"{rig.name}.dynamics")
    bodies, arm, point, _ = _bodies(system, rig)
    F, M, k, c = (_column(system, n, u) for n, u in (("F", "N"), ("M", "N m"), ("k", "N/m"), ("c", "N s/m")))
    p, v, carry = _column(system, "p", "m"), _column(system, "v", "m/s"), system.input("carry", "1")
    p_des = p + carry * (point.p - p)
    F_used, M_used = compensate(F, M, p_act=p, v_act=v, p_des=p_des, v_des=point.v, k=carry * k, c=carry * c)
    push = _column(system, "thrust", "N")
    hold, damp = system.input("attitude.stiffness", "N m/rad"), system.input("attitude.damping", "N m s/rad")
    turning = bodies.w_craft - attitude(bodies.phi_craft).T @ bodies.w_effector
    _close(bodies, arm, point, F_used, M_used, push=push, turn=-hold * bodies.phi_craft - damp * turning)
    return system.ode()


def ideal(rig: RigFile, *, cut: bool = False) -> Ode:
    """The docking as it would be in space: rope between end-effector and spacecraft, no platform, no sensor.

    With `cut` the rope's force comes from the inputs F.x, F.y, F.z instead: the open loop for delay analysis.
    """
    system = System(f"{rig.name}.ideal")
    bodies, arm, point, drag = _bodies(system, rig)
    rope = add_rope(system)
    rope.connect(l=point.l - drag * system.time, v=point.v - drag)
    F = _column(system, "F", "N") if cut else rope.F
    _close(bodies, arm, point, F, ca.cross(point.p, F))
    control = ca.vertcat(*rig.geometry["control_point"].vector("m", "geometry.control_point"))
    origin = ca.vertcat(*rig.geometry["origin"].vector("m", "geometry.origin"))
    place = bodies.S_craft + attitude(bodies.phi_craft) @ control + origin
    for k, axis in enumerate(AXES):
        system.output(f"control.{axis}", "m", place[k])
        system.output(f"force.{axis}", "N", F[k])
        system.output(f"moment.{axis}", "N m", ca.cross(point.p, F)[k])
    return system.ode()


def add_rope(system: System) -> Part:
    """The rope with its tunables and its variation in time; l and v are left to connect."""
    p: dict[str, Any] = declare(system, "contact")
    rope = system.add("rope", VaryingRope(
        stiffness=tuple(p["stiffness"][k] for k in range(3)), damping=tuple(p["damping"][k] for k in range(3)),
        stiffening=p["stiffening"],
    ))
    return rope.connect(g=p["variation"] * triangle(system.time, p["period"]))


def start(rig: RigFile, name: str) -> dict[str, float]:
    """Bodies at rest, arm unstrained, contact point at the set's offset from the anchor."""
    chosen = rig.set(name)
    tip, base, rest = rig.arm(name)
    offset = chosen.offset.vector("m", f"sets.{name}.offset")
    point = rig.geometry["contact_point"].vector("m", "geometry.contact_point")
    anchor = rig.geometry["anchor"].vector("m", "geometry.anchor")
    out = {f"bodies.S_effector.{a}": base[k] + rest[k] - tip[k] for k, a in enumerate(AXES)}
    return out | {f"bodies.S_craft.{a}": anchor[k] + offset[k] - point[k] for k, a in enumerate(AXES)}
