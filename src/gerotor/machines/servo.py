"""Two-rate servo controller of a machine file, for machines with a section `drives`.

    controllers:
      servo:
        kind: servo
        period: 1 ms
        fast_period: 0.25 ms
        inertia: [10 kg*m^2, ...]           J, one a drive, fed forward
        natural_frequency: [10 Hz, ...]     w
        damping: 0.9                        z
        integral_share: 0.125               k
        viscous, coulomb: [...]             fed forward
        coulomb_velocity: 1e-3 rad/s
        current_bandwidth: 500 Hz

    K_p = J w^2,   K_d = 2 z J w,   K_i = k K_p w,   velocity fed forward: K_d + viscous     (1)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gerotor.control.position_loop import position_loop
from gerotor.control.velocity_loop import velocity_loop
from gerotor.core.layout import Entry, Layout
from gerotor.core.sampled import Sampled
from gerotor.core.table import Table
from gerotor.errors import InputError, unknown
from gerotor.machines.actuators.keys import expect
from gerotor.machines.machine import Machine
from gerotor.machines.quantity import per_item
from gerotor.machines.section import source_of
from gerotor.units import quantity

Array = NDArray[np.float64]
_KEYS = ("period", "fast_period", "inertia", "natural_frequency", "damping", "integral_share", "viscous", "coulomb",
         "coulomb_velocity", "current_bandwidth")


class JointPath(Protocol):
    """Joint positions, velocities and accelerations at rising times."""

    def at(self, times: Any, *, left: bool = False) -> tuple[Array, Array, Array]: ...


def servo_of(machine: Machine, name: str, load: ArrayLike | None = None) -> list[Sampled]:
    """Position loop, then velocity and current loop; `load` are joint torques with which integrals and currents start."""
    section, path = _section(machine, name)
    drives = machine.drives
    if drives is None:
        raise InputError(f"{path}: a servo needs the machine's section drives")
    joints = machine.tree.names
    n = len(joints)

    def each(key: str, unit: str) -> Array:
        return np.array(per_item(section[key], [unit] * n, f"{path}.{key}"))

    J, w = each("inertia", "kg*m^2"), 2 * math.pi * each("natural_frequency", "Hz")
    z, share = (quantity(section[k], "1", f"{path}.{k}") for k in ("damping", "integral_share"))
    Kp, Kd = J * w**2, 2 * z * J * w  # (1)
    first = drives.motor_loads(np.zeros(n) if load is None else load)
    command = [f"servo.{j}" for j in joints]
    outer = position_loop(
        "position", period=quantity(section["period"], "s", f"{path}.period"), measured=[f"arm.q.{j}" for j in joints],
        reference=_names("q", joints), reference_velocity=_names("v", joints), reference_acceleration=_names("a", joints),
        command=command, Kp=list(Kp), Ki=list(share * Kp * w), inertia=list(J),
        viscous=list(Kd + each("viscous", "N*m*s/rad")), coulomb=list(each("coulomb", "N*m")),
        coulomb_velocity=quantity(section["coulomb_velocity"], "rad/s", f"{path}.coulomb_velocity"),
        start=list(first), coordinates=drives.coordinates,
    )
    inner = velocity_loop(
        "velocity", period=quantity(section["fast_period"], "s", f"{path}.fast_period"), command=command,
        measured=[f"arm.v.{j}" for j in joints], current=[f"{j}.i" for j in joints], Kd=list(Kd), constant=list(drives.force),
        limit=list(drives.max_current),
        bandwidth=2 * math.pi * quantity(section["current_bandwidth"], "Hz", f"{path}.current_bandwidth"),
        start=list(first / drives.force), coordinates=drives.coordinates,
    )
    return [outer, inner]


def servo_period(machine: Machine, name: str) -> float:
    """Of the position loop and its set-points, s."""
    section, path = _section(machine, name)
    return quantity(section["period"], "s", f"{path}.period")


def holding_load(machine: Machine, q: ArrayLike) -> Array:
    """Joint torques that carry gravity and springs at positions q, without help from friction."""
    ode = machine.ode()
    arm = next(b for b in ode.blocks if b.name == "arm")
    x = ode.states.pack({f"arm.q.{j}": float(z) for j, z in zip(machine.tree.names, np.asarray(q), strict=True)})
    force = ode.function("force", arm.force)(x, ode.inputs.array("start"), ode.parameters.array("start"), 0.0)
    return -np.asarray(force, dtype=float).ravel()


def setpoints(machine: Machine, name: str, motion: JointPath, until: float) -> Table:
    """The motion in drive coordinates, one row a period of the controller, checked against ranges and speeds."""
    if machine.drives is None:
        raise InputError(f"{machine.path}: controllers.{name}: a servo needs the machine's section drives")
    period = servo_period(machine, name)
    t: Array = period * np.arange(round(until / period) + 1, dtype=np.float64)
    q, v, a = motion.at(t)
    check_limits(machine, t, q, v)
    joints = machine.tree.names
    units = {"q": "rad", "v": "rad/s", "a": "rad/s^2"}
    holds = Layout(tuple(Entry(n, u) for key, u in units.items() for n in _names(key, joints)))
    return Table("setpoint", period, np.hstack([z @ machine.drives.coordinates.T for z in (q, v, a)]), holds)


def check_limits(machine: Machine, t: Array, q: Array, v: Array) -> None:
    """Raise InputError where a joint leaves its range or exceeds its speed."""
    for k, joint in enumerate(machine.tree.moving):
        out = np.flatnonzero((q[:, k] < joint.lower) | (q[:, k] > joint.upper) | (np.abs(v[:, k]) > joint.velocity))
        if out.size:
            i = int(out[0])
            if not joint.lower <= q[i, k] <= joint.upper:
                raise InputError(
                    f"{machine.name}.{joint.name} = {q[i, k]:.6g} {joint.unit} at {t[i]:.6g} s: "
                    f"must be within {joint.lower:.6g} to {joint.upper:.6g} {joint.unit}; move the path"
                )
            raise InputError(
                f"{machine.name}.{joint.name} moves at {v[i, k]:.6g} {joint.unit}/s at {t[i]:.6g} s: "
                f"at most {joint.velocity:g} {joint.unit}/s; slow the path down"
            )


def _section(machine: Machine, name: str) -> tuple[Mapping[str, Any], str]:
    known = machine.file.controllers
    if name not in known:
        raise InputError(f"{machine.name}: {unknown('controller', name, list(known))}")
    section, path = known[name], f"{machine.path}: controllers.{name}"
    if section.get("kind") != "servo":
        raise InputError(f"{path}.kind = {section.get('kind')!r}: must be servo")
    expect(section, path, _KEYS)
    source_of(section, path)
    return section, path


def _names(key: str, joints: tuple[str, ...]) -> list[str]:
    return [f"setpoint.{key}.{j}" for j in joints]
