"""The real half: platform on six electric cylinders, rope between its rod and the hanging end-effector, force sensor."""

from __future__ import annotations

import casadi as ca
import numpy as np

from gerotor.assembly.system import System
from gerotor.core.ode import Ode
from gerotor.drives.electric_cylinder import ElectricCylinder
from gerotor.machines.docking_rig.dynamics import add_rope
from gerotor.machines.docking_rig.parameters import AXES, SETTINGS, declare
from gerotor.machines.docking_rig.values import RigFile
from gerotor.mechanics.roll_pitch_yaw import attitude
from gerotor.mechanics.stewart import StewartGeometry
from gerotor.mechanics.stewart_platform import StewartPlatform
from gerotor.mechanics.stewart_workspace import check_pose
from gerotor.sensors.force_torque import ForceTorqueSensor

_DRIVE = {
    "lead": "m", "resistance": "ohm", "inductance": "H", "torque_constant": "N m/A", "rotor_inertia": "kg m^2",
    "rotor_damping": "N m s/rad", "velocity_gain": "A s/rad", "velocity_integral": "A/rad", "current_gain": "V/A",
    "current_integral": "V/(A s)",
}
_POSE = ("x", "y", "z", "roll", "pitch", "yaw")
_SIX = ("fx", "fy", "fz", "mx", "my", "mz")
_PLATFORM = {
    "platform_mass": "kg", "cylinder_mass": "kg", "cylinder_centre": "m", "cylinder_inertia": "kg m^2", "rod_mass": "kg",
    "rod_centre": "m", "rod_inertia": "kg m^2", "gravity": "m/s^2",
}


def geometry(rig: RigFile) -> StewartGeometry:
    """Joints of the platform."""
    p = rig.platform
    return StewartGeometry.paired(
        base_radius=p["base_radius"].si("m", "platform.base_radius"), base_angle=p["base_angle"].si("rad", "platform.base_angle"),
        platform_radius=p["platform_radius"].si("m", "platform.platform_radius"),
        platform_angle=p["platform_angle"].si("rad", "platform.platform_angle"),
    )


def rod(rig: RigFile) -> tuple[float, ...]:
    """Contact point from the control point, in platform axes."""
    point = rig.geometry["contact_point"].vector("m", "geometry.contact_point")
    control = rig.geometry["control_point"].vector("m", "geometry.control_point")
    return tuple(a - b for a, b in zip(point, control, strict=True))


def origin(rig: RigFile) -> tuple[float, ...]:
    """Centroid of the end-effector in base axes."""
    return rig.geometry["origin"].vector("m", "geometry.origin")


def platform(rig: RigFile) -> StewartPlatform:
    """The platform with its legs; rotor inertia of the drives included."""
    p = rig.platform
    values = {key: p[key].si(unit, f"platform.{key}") for key, unit in _PLATFORM.items()}
    return StewartPlatform(
        geometry=geometry(rig), centre=p["centre"].vector("m", "platform.centre"),  # type: ignore[arg-type]
        inertia=p["inertia"].vector("kg m^2", "platform.inertia"),  # type: ignore[arg-type]
        home=(0.0, 0.0, p["home_height"].si("m", "platform.home_height"), 0.0, 0.0, 0.0),
        drive_mass=drive(rig, 1.0).reflected_mass, **values,
    )


def drive(rig: RigFile, position_gain: float) -> ElectricCylinder:
    """One leg's drive."""
    values = {key: rig.drive[key].si(unit, f"drive.{key}") for key, unit in _DRIVE.items()}
    return ElectricCylinder(position_gain=position_gain, **values)


def physical_half(rig: RigFile) -> Ode:
    """Inputs: leg commands r.1 to r.6. Outputs: leg lengths and rates, sensor readings; tunables of both halves."""
    system = System(rig.name)
    drag = declare(system, "dynamics")["drag"]
    gain = system.tunable("drive.position_gain", "1/s", rig.drive["position_gain"].si("1/s", "drive.position_gain"), lower=0)
    stage = system.add("platform", platform(rig))
    forces = []
    for k in range(6):
        leg = system.add(f"leg{k + 1}", drive(rig, gain))
        command = system.input(f"r.{k + 1}", "m", start=float(geometry(rig).inverse(stage.component.home)[k]))  # type: ignore[attr-defined]
        forces.append(leg.connect(r=command, l=stage.l[k], v=stage.l_rate[k]).f)
    rope = add_rope(system)
    arm = attitude(stage.q[3:]) @ ca.vertcat(*rod(rig))
    place = stage.q[:3] + arm - ca.vertcat(*origin(rig))
    stretch = place - ca.vertcat(*rig.geometry["anchor"].vector("m", "geometry.anchor")) - drag * system.time
    rope.connect(
        l=stretch,
        v=stage.twist[:3] + ca.cross(stage.twist[3:], arm) - drag,
    )
    stage.connect(f=ca.vertcat(*forces), F=-rope.F, M=-ca.cross(arm, rope.F))
    lag = system.tunable("sensor.lag", "s", rig.sensor["lag"].si("s", "sensor.lag"), lower=0)
    sensor = system.add("sensor", ForceTorqueSensor(lag=lag))
    sensor.connect(w=ca.vertcat(rope.F, ca.cross(place, rope.F)))
    for setting in SETTINGS:
        system.input(setting.name, setting.unit, start=setting.start)
    for k, axis in enumerate(AXES):
        system.output(f"place.{axis}", "m", place[k])
        system.output(f"stretch.{axis}", "m", stretch[k])
    return system.ode()


def at_rest(rig: RigFile, ode: Ode, offset: tuple[float, ...], parameters: dict[str, float]) -> dict[str, float]:
    """Platform standing at an offset of the contact point: drive currents and integrators carry weight and rope."""
    pose = np.array(platform(rig).home)
    pose[:3] += offset
    shortest, longest = (rig.platform[k].si("m", f"platform.{k}") for k in ("leg_shortest", "leg_longest"))
    check_pose(geometry(rig), pose, shortest=shortest, longest=longest, radius=1.0)
    x = ode.states.pack({f"platform.q.{n}": v for n, v in zip(_POSE, pose, strict=True)})
    p, u = ode.parameters.pack(parameters), ode.inputs.array("start")
    v = [ode.states.index(f"platform.twist.{n}") for n in ("vx", "vy", "vz", "wx", "wy", "wz")]
    i = [ode.states.index(f"leg{k + 1}.i") for k in range(6)]
    watched = ca.vertcat(*[ode.signal(f"{s}.{a}") for s in ("rope.F", "place") for a in AXES])
    hold = ode.function("hold", ca.jacobian(ode.rate[v], ode.x[i]), ode.rate[v], watched)
    slope, still, seen = (np.asarray(value) for value in hold(x, u, p, 0.0))
    currents = np.linalg.solve(slope, -still.ravel())
    motor = drive(rig, 1.0)
    out = {n: float(value) for n, value in zip(ode.states.names, x, strict=True)}
    for k, current in enumerate(currents):
        out |= {f"leg{k + 1}.i": current, f"leg{k + 1}.a": current / motor.velocity_integral,
                f"leg{k + 1}.b": motor.resistance * current / motor.current_integral}
    force, place = seen[:3].ravel(), seen[3:].ravel()
    return out | dict(zip((f"sensor.s.{n}" for n in _SIX), (*force, *np.cross(place, force)), strict=True))
