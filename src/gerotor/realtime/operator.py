"""The operator's hand: joint set-points that follow sliders or levers at a limited speed and acceleration.

    wanted = lever V                    levers (mode 1)                                   (1)
    wanted = clip((target - q)/T, V)    sliders (mode 0)                                  (2)
    (lower - q)/T <= wanted <= (upper - q)/T                   soft ends of the range     (3)
    v <- v + clip(wanted - v, A h),   q <- clip(q + h v, range)                           (4)

V, A: largest speed and acceleration of a joint, T = 0.5 s, h the period. A lever let go comes to rest.
For servo drives position, velocity and acceleration are held too, in drive coordinates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import casadi as ca
import numpy as np

from gerotor.assembly.system import System
from gerotor.core.layout import Entry, Layout
from gerotor.core.sampled import Sampled
from gerotor.mechanics.joint import Joint
from gerotor.realtime.stage import Lever

APPROACH = 0.5
RISE = 0.6  # s from rest to full speed
TURNING, SLIDING = 0.26, 0.03  # rad/s, m/s: full speed where the machine file names none


def full_speed(joint: Joint) -> float:
    """V of (1) and (2)."""
    usual = TURNING if joint.kind == "revolute" else SLIDING
    return min(joint.velocity, usual)


def operator_levers(system: System, joints: Sequence[Joint], start: Any) -> tuple[Lever, ...]:
    """The inputs of the hand, and a lever with its slider for every joint."""
    out = []
    system.input("operator.mode", "1", lower=0.0, upper=1.0)
    for joint, at in zip(joints, start, strict=True):
        q, lever = f"operator.q.{joint.name}", f"operator.lever.{joint.name}"
        system.input(q, joint.unit, start=float(at), lower=joint.lower, upper=joint.upper)
        system.input(lever, "1", lower=-1.0, upper=1.0)
        out.append(Lever(lever, joint.name, joint.unit, -1.0, 1.0, target=q, range=(joint.lower, joint.upper)))
    return tuple(out)


def operator(joints: Sequence[Joint], start: Any, period: float, coordinates: Any = None) -> Sampled:
    """Reads operator.mode, operator.q.J and operator.lever.J; holds ref.q.J.

    With `coordinates` (drives from joints) also setpoint.q.J, setpoint.v.J and setpoint.a.J.
    """
    n = len(joints)
    lower, upper = ca.DM([j.lower for j in joints]), ca.DM([j.upper for j in joints])
    speed = ca.DM([full_speed(j) for j in joints])

    def update(d: Any, r: Any, t: Any) -> tuple[Any, Any]:
        q, v, target, lever = d[:n], d[n:], r[1 : n + 1], r[n + 1 :]
        wanted = ca.if_else(r[0] > 0.5, lever * speed, _clip((target - q) / APPROACH, speed))  # (1), (2)
        wanted = ca.fmin(ca.fmax(wanted, (lower - q) / APPROACH), (upper - q) / APPROACH)  # (3)
        v = v + _clip(wanted - v, speed / RISE * period)  # (4)
        moved = ca.fmin(ca.fmax(q + period * v, lower), upper)  # (4)
        speed_now = (moved - q) / period
        held = [moved]
        if coordinates is not None:
            held += [ca.DM(coordinates) @ z for z in (moved, speed_now, (speed_now - d[n:]) / period)]
        return ca.vertcat(moved, speed_now), ca.vertcat(*held)

    at = [float(q) for q in np.ravel(start)]
    states = [Entry(f"q.{j.name}", j.unit, start=q) for j, q in zip(joints, at, strict=True)]
    states += [Entry(f"v.{j.name}", f"{j.unit}/s") for j in joints]
    holds = [Entry(f"ref.q.{j.name}", j.unit, start=q) for j, q in zip(joints, at, strict=True)]
    if coordinates is not None:
        first = np.asarray(coordinates) @ np.array(at)
        holds += [Entry(f"setpoint.q.{j.name}", j.unit, start=float(q)) for j, q in zip(joints, first, strict=True)]
        holds += [Entry(f"setpoint.{key}.{j.name}", f"{j.unit}/{per}") for key, per in (("v", "s"), ("a", "s^2")) for j in joints]
    return Sampled(
        name="operator", period=period,
        reads=("operator.mode", *(f"operator.q.{j.name}" for j in joints), *(f"operator.lever.{j.name}" for j in joints)),
        holds=Layout(tuple(holds)),
        states=Layout(tuple(states)),
        update=update,
    )


def _clip(x: Any, limit: Any) -> Any:
    return ca.fmax(ca.fmin(x, limit), -limit)
