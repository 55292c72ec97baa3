"""Joint set-points that lead a frame along a path: inverse kinematics ahead of the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from gerotor.control.trajectory import Trajectory
from gerotor.core.layout import Entry, Layout
from gerotor.core.table import Table
from gerotor.errors import InputError
from gerotor.machines.machine import Machine
from gerotor.maths.rotation import rotation_rpy
from gerotor.mechanics.inverse_kinematics import InverseKinematics
from gerotor.mechanics.kinematics import frame_pose

Array = NDArray[np.float64]
Part = Callable[[float], None]  # hears the part done
MOST = 1_000_000  # set-points: hours at 100 Hz, a minute or two of inverse kinematics


def attitude(machine: Machine, frame: str, rpy: tuple[float, float, float]) -> Array:
    """The rotation of a frame that is turned by roll, pitch, yaw (base axes) from where it is at q = 0."""
    zero = ca.DM.zeros(machine.tree.size)
    return np.array(ca.DM(rotation_rpy(*rpy) @ frame_pose(machine.tree, frame, zero).rotation))


def sample_times(duration: float, period: float) -> Array:
    """The times of set-points from 0 to `duration`."""
    if duration / period > MOST:
        raise InputError(
            f"duration = {duration:g} s: {duration / period:.3g} set-points, one every {period:g} s; at most {MOST:g}, "
            f"which is {MOST * period:g} s"
        )
    return np.asarray(np.arange(round(duration / period) + 1) * period)


def path_table(
    machine: Machine, frame: str, path: Trajectory, period: float, duration: float,
    *, rotation: Array | None = None, start: Mapping[str, float] | None = None, progress: Part | None = None,
) -> tuple[Table, Array]:
    """Set-points ref.q.J and ref.FRAME.x/y/z every `period`, and the joint positions of the first one.

    Raises NoSolutionError before the run where the path leaves the workspace.
    """
    times = sample_times(duration, period)
    targets = np.asarray(path.position(times))
    guess = machine.joint_positions(start) if start else None
    q = InverseKinematics(machine.tree, frame).along(targets, guess, rotations=rotation, progress=progress)
    entries = [Entry(f"ref.q.{j.name}", j.unit) for j in machine.tree.moving]
    entries += [Entry(f"ref.{frame}.{axis}", "m") for axis in "xyz"]
    return Table("reference", period, np.hstack([q, targets]), Layout(tuple(entries))), q[0]


def hold_table(machine: Machine, q: Any, period: float) -> Table:
    """Set-points that stay at joint positions q."""
    entries = tuple(Entry(f"ref.q.{j.name}", j.unit) for j in machine.tree.moving)
    return Table("reference", period, np.atleast_2d(np.asarray(q, dtype=float)), Layout(entries))
