"""The controller of a scenario with its set-points: joint by joint (kind pid) or two-rate (kind servo)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gerotor.control.polynomial import Polynomial, quintic
from gerotor.core.sampled import Sampled
from gerotor.core.table import Table
from gerotor.errors import InputError
from gerotor.machines.assembled import Assembled
from gerotor.machines.controllers import controller_of
from gerotor.machines.servo import JointPath, holding_load, servo_of, servo_period, setpoints
from gerotor.mechanics.joint_motion import JointMotion
from gerotor.simulation.reference import Part
from gerotor.simulation.tasks import CirclePath, LinePath, set_points, through_points
from gerotor.simulation.tasks import JointPath as JointTask

Array = NDArray[np.float64]
Loop = tuple[list[Sampled], list[Table], Array]


@dataclass(frozen=True)
class Moved:
    """A motion given in the joints."""

    joints: Polynomial

    def at(self, times: Any, *, left: bool = False) -> tuple[Array, Array, Array]:
        t = np.nextafter(times, -np.inf) if left else times
        return np.asarray(self.joints.position(t)), np.asarray(self.joints.velocity(t)), np.asarray(self.joints.acceleration(t))


def closed_loop(
    task: Any, name: str, assembled: Assembled, duration: float, start: dict[str, float], *, progress: Part | None = None
) -> Loop:
    """Sampled parts and tables of the controller `name` at a task, and the joint positions the task begins at."""
    machine = assembled.machine
    if machine.file.controllers.get(name, {}).get("kind") == "servo":
        return _servo(task, name, assembled, duration, start, progress=progress)
    units = {e.name: e.unit for e in assembled.ode().inputs}
    unit = next((units[c] for c in assembled.commands if c), "N*m")
    controller = controller_of(machine, name, assembled.commands, unit)
    table, q = set_points(task, machine, controller.period, duration, start, progress=progress)
    return [controller], [table], q


def _servo(
    task: Any, name: str, assembled: Assembled, duration: float, start: dict[str, float], *, progress: Part | None
) -> Loop:
    """A servo also follows velocity and acceleration, and starts with the load of the first position."""
    machine = assembled.machine
    if isinstance(task, CirclePath | LinePath) and task.rpy is None:
        raise InputError(f"task.rpy is missing: the servo controller {name!r} needs the attitude of {task.frame!r}")
    table, q = set_points(task, machine, servo_period(machine, name), duration, start, progress=progress)
    motion: JointPath
    if isinstance(task, CirclePath | LinePath):
        found = np.asarray(table.rows[:, : machine.tree.size])
        motion = JointMotion(machine.tree, task.frame, task.path(duration), lambda _: found)
    else:
        motion = Moved(through_points(task, machine) if isinstance(task, JointTask) else quintic((0.0, 1.0), [q, q]))
    return servo_of(machine, name, holding_load(machine, q)), [setpoints(machine, name, motion, duration), table], q
