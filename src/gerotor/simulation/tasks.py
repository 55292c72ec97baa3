"""What a machine is asked to do in a scenario: hold, follow a path, move its joints, be commanded."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import casadi as ca
import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from gerotor.control.circle import circle
from gerotor.control.line import line
from gerotor.control.polynomial import Polynomial, quintic
from gerotor.control.trajectory import Trajectory
from gerotor.core.layout import Entry, Layout
from gerotor.core.sampled import Sampled
from gerotor.core.table import Table
from gerotor.errors import InputError, unknown
from gerotor.machines.assembled import Assembled
from gerotor.machines.machine import Machine, position_quantities
from gerotor.machines.quantity import Metres, Seconds, unit
from gerotor.machines.schema import Angles, Spec, Vector
from gerotor.simulation.reference import Part, attitude, hold_table, path_table, sample_times
from gerotor.units import quantity

Array = NDArray[np.float64]
Speed = Annotated[float, unit("m/s")]
TurnRate = Annotated[float, unit("rad/s")]
PLANES = {"xy": ((1, 0, 0), (0, 1, 0)), "xz": ((1, 0, 0), (0, 0, 1)), "yz": ((0, 1, 0), (0, 0, 1))}


class Hold(Spec):
    """Stay at the start position."""

    kind: Literal["hold"]


class CirclePath(Spec):
    """Lead a frame around a circle; `rpy` turns it from its attitude at zero joint positions."""

    kind: Literal["circle"]
    frame: str
    centre: Vector
    radius: Metres
    plane: Literal["xy", "xz", "yz"]
    speed: TurnRate
    rise: Seconds = 0.0
    rpy: Angles | None = None

    def path(self, duration: float) -> Trajectory:
        first, second = PLANES[self.plane]
        return circle(self.centre, self.radius, first=first, second=second, speed=self.speed, duration=duration, rise=self.rise)


class LinePath(Spec):
    """Lead a frame along a straight line."""

    kind: Literal["line"]
    frame: str
    begin: Vector
    end: Vector
    speed: Speed
    acceleration: Annotated[float, unit("m/s^2")] | None = None
    jerk: Annotated[float, unit("m/s^3")] | None = None
    rpy: Angles | None = None

    def path(self, duration: float) -> Trajectory:
        return line(self.begin, self.end, speed=self.speed, acceleration=self.acceleration, jerk=self.jerk)


class JointPath(Spec):
    """Quintic motion through joint positions at given times."""

    kind: Literal["joints"]
    times: Annotated[list[Seconds], Field(min_length=2)]
    points: Annotated[list[dict[str, Any]], Field(min_length=2)]


class Sines(Spec):
    """Open loop: offset + amplitude sin(2 pi frequency t) on chosen inputs."""

    kind: Literal["sine"]
    inputs: Annotated[dict[str, dict[str, Any]], Field(min_length=1)]


Task = Annotated[Hold | CirclePath | LinePath | JointPath | Sines, Field(discriminator="kind")]


def set_points(
    task: Any, machine: Machine, period: float, duration: float, start: dict[str, float], *, progress: Part | None = None
) -> tuple[Table, Array]:
    """The table of joint set-points of a task, and the joint positions it begins at."""
    if isinstance(task, CirclePath | LinePath):
        turn = None if task.rpy is None else attitude(machine, task.frame, (task.rpy[0], task.rpy[1], task.rpy[2]))
        path = task.path(duration)
        return path_table(machine, task.frame, path, period, duration, rotation=turn, start=start, progress=progress)
    if isinstance(task, JointPath):
        times = sample_times(duration, period)
        rows = np.asarray(through_points(task, machine).position(times))
        entries = tuple(Entry(f"ref.q.{j.name}", j.unit) for j in machine.tree.moving)
        return Table("reference", period, rows, Layout(entries)), rows[0]
    q = machine.joint_positions(start)
    return hold_table(machine, q, period), q


def through_points(task: JointPath, machine: Machine) -> Polynomial:
    """The motion of the joints that a task gives by its points."""
    points = [machine.joint_positions(position_quantities(machine, p, "task.points")) for p in task.points]
    return quintic(task.times, points, stop=True)


def sine_source(task: Sines, assembled: Assembled, period: float) -> Sampled:
    """Open-loop commands as a sampled part."""
    known = {e.name: e for e in assembled.ode().inputs}
    names, rows = list(task.inputs), []
    for name in names:
        if name not in known:
            raise InputError(f"task.inputs: {unknown('input', name, list(known))}")
        entry, wave, path = known[name], task.inputs[name], f"task.inputs.{name}"
        for key in wave:
            if key not in ("amplitude", "frequency", "offset"):
                raise InputError(f"{path}.{key}: {unknown('key', str(key), ['amplitude', 'frequency', 'offset'])}")
        top = quantity(wave.get("amplitude", 0), entry.unit, f"{path}.amplitude")
        mean = quantity(wave.get("offset", 0), entry.unit, f"{path}.offset")
        if not entry.lower <= mean - abs(top) <= mean + abs(top) <= entry.upper:
            limits = f"{entry.lower:g} to {entry.upper:g} {entry.unit}"
            raise InputError(f"{path}: {mean:g} +- {abs(top):g} {entry.unit} exceeds the rating {limits}")
        rows.append((mean, top, quantity(wave.get("frequency", 0), "rad/s", f"{path}.frequency")))
    mean_, top_, turn = (ca.DM(list(c)) for c in zip(*rows, strict=True))

    def update(d: Any, r: Any, t: Any) -> tuple[Any, Any]:
        return d, mean_ + top_ * ca.sin(turn * t)

    return Sampled("sine", period, (), Layout(tuple(known[n] for n in names)), update)
