"""Inverse kinematics: joint positions for poses of a frame, within the joint ranges.

A trajectory is a fixed number of damped steps a target, each target begun where the one before it
ended, as one CasADi function; a single target takes as many steps as it needs, with restarts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from gerotor.errors import InputError, NoSolutionError, ParameterError
from gerotor.maths.pose import Pose
from gerotor.mechanics.inverse_kinematics_step import Task, residual, step_function
from gerotor.mechanics.kinematics import frame_pose
from gerotor.mechanics.tree import Tree

Array = NDArray[np.float64]

_CHUNK = 256
_DAMPING = 1e-10


@dataclass(frozen=True, eq=False)
class InverseKinematics:
    """Joint positions of `tree` that bring `frame` to a target.

    A target is a position (3 tasks), a position with a direction for `axis` of the frame (5), or a
    position with a rotation (6). `tolerance` is the allowed residual in m and rad.
    """

    tree: Tree
    frame: str
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)
    tolerance: float = 1e-10
    iterations: int = 3

    def __post_init__(self) -> None:
        q = ca.SX.sym("q", self.tree.size)
        pose = frame_pose(self.tree, self.frame, q)
        free = {s.name() for s in ca.symvar(ca.veccat(pose.rotation, pose.translation))} - {s.name() for s in ca.symvar(q)}
        if free:
            raise ParameterError(f"{self.tree.name}: {', '.join(sorted(free))} in the geometry: inverse kinematics needs numbers")

    def solve(self, target: Pose | Any, start: Any = None, *, direction: Any = None, restarts: int = 20) -> Array:
        """q for one target: a Pose, a position, or a position with a `direction` of the axis.

        Begins at `start` (default: the middle of the ranges); further starts are drawn from the ranges.
        """
        rotation = None
        if isinstance(target, Pose):
            rotation, target = np.array(ca.DM(target.rotation)), np.array(ca.DM(target.translation)).ravel()
        task, flat = self._targets(target, rotation, direction)
        if len(flat) != 1:
            raise InputError(f"solve takes one target, got {len(flat)}: use along")
        return self._solve(task, flat[0], self._start(start), restarts, "target")

    def along(
        self, positions: Any, start: Any = None, *, rotations: Any = None, directions: Any = None,
        progress: Callable[[float], None] | None = None,
    ) -> Array:
        """q (N x n) for a trajectory of N positions, each found from the one before it.

        `rotations` (N x 3 x 3 or one 3 x 3) or `directions` (N x 3 or one) set the attitude; `progress` hears the part done.
        """
        task, targets = self._targets(positions, rotations, directions)
        out = np.empty((len(targets), self.tree.size))
        q = self._start(start)
        done = 0
        while done < len(targets):
            if done == 0:
                q = out[0] = self._solve(task, targets[0], q, 20, "target 0")
                done = 1
                continue
            if progress is not None:
                progress(done / len(targets))
            part = targets[done : done + _CHUNK]
            padded = np.vstack([part, np.repeat(part[-1:], _CHUNK - len(part), axis=0)])
            found, left = self._follow(task)(q, padded)
            good = left[: len(part)] <= self.tolerance
            count = len(part) if good.all() else int(np.argmin(good))
            out[done : done + count] = found[:count]
            done += count
            q = out[done - 1]
            if count < len(part):
                q = out[done] = self._solve(task, targets[done], q, 0, f"target {done}")
                done += 1
        return out

    def _start(self, start: Any) -> Array:
        low, high = self._ranges
        q = (low + high) / 2 if start is None else np.asarray(start, dtype=float).ravel()
        if q.size != self.tree.size or not np.all(np.isfinite(q)):
            raise InputError(f"{self.tree.name}: start needs {self.tree.size} finite joint positions, got {start}")
        return np.clip(q, *self._limits)

    @cached_property
    def _limits(self) -> tuple[Array, Array]:
        return np.array([j.lower for j in self.tree.moving]), np.array([j.upper for j in self.tree.moving])

    @cached_property
    def _ranges(self) -> tuple[Array, Array]:
        """The limits, with half a turn or 1 m in place of missing ones."""
        wide = np.array([np.pi if j.kind == "revolute" else 1.0 for j in self.tree.moving])
        low, high = self._limits
        low = np.where(np.isfinite(low), low, np.where(np.isfinite(high), high - 2 * wide, -wide))
        return low, np.where(np.isfinite(high), high, low + 2 * wide)

    def _targets(self, positions: Any, rotations: Any, directions: Any) -> tuple[Task, Array]:
        """The task, and the targets as rows."""
        if rotations is not None and directions is not None:
            raise InputError("a target takes a rotation or a direction, not both")
        task: Task = "pose" if rotations is not None else "direction" if directions is not None else "position"
        try:
            places = np.asarray(positions, dtype=float).reshape(-1, 3)
            rest = np.empty((len(places), 0))
            if task == "pose":
                rest = np.broadcast_to(np.asarray(rotations, dtype=float), (len(places), 3, 3)).reshape(len(places), 9)
            if task == "direction":
                rest = np.broadcast_to(np.asarray(directions, dtype=float), (len(places), 3))
        except ValueError as error:
            raise InputError("targets: give N x 3 positions, and one 3 x 3 rotation or direction for all or for each") from error
        flat = np.hstack([places, rest])
        if not np.all(np.abs(flat) < 1e6):
            raise InputError("targets: positions, rotations and directions must be finite numbers, positions within 1e6 m")
        if task == "direction":
            flat[:, 3:] /= np.maximum(np.linalg.norm(flat[:, 3:], axis=1, keepdims=True), 1e-300)
        return task, flat

    @cached_property
    def _functions(self) -> dict[str, Any]:
        return {}

    def _step(self, task: Task) -> Any:
        if task not in self._functions:
            self._functions[task] = step_function(self.tree, self.frame, self.axis, task)
        return self._functions[task]

    def _follow(self, task: Task) -> Callable[[Array, Array], tuple[Array, Array]]:
        """(first q, targets) -> q of every target, largest residual of every target; a fixed number of targets.

        Called through CasADi's buffer: its plain call converts arrays slowly, and can lose a Ctrl-C while it does.
        """
        key = f"follow {task}"
        if key not in self._functions:
            step = self._step(task)
            start, target = ca.SX.sym("q", self.tree.size), ca.SX.sym("target", step.size1_in(1))
            q = start
            for _ in range(self.iterations):
                q = step(q, target, _DAMPING)[0]
            left = ca.norm_inf(residual(self.tree, self.frame, q, target, task=task, axis=self.axis)[0])
            along = ca.Function("follow", [start, target], [q, left], {"cse": True}).mapaccum("along", _CHUNK)
            self._functions[key] = _Buffered(along, self.tree.size, target.numel())
        found: Callable[[Array, Array], tuple[Array, Array]] = self._functions[key]
        return found

    def _solve(self, task: Task, target: Array, start: Array, restarts: int, label: str) -> Array:
        low, high = self._ranges
        rng = np.random.default_rng(0)
        best, left = self._descend(task, target, start)
        for _ in range(restarts):
            if np.abs(left).max() <= self.tolerance:
                break
            q, error = self._descend(task, target, rng.uniform(low, high))
            if error @ error < left @ left:
                best, left = q, error
        if np.abs(left).max() > self.tolerance:
            raise NoSolutionError(self._message(label, target, best, left))
        return best

    def _descend(self, task: Task, target: Array, q: Array) -> tuple[Array, Array]:
        """Damped steps, with more damping whenever the residual would grow."""
        step = self._step(task)
        damping = 1e-3
        found, error = (np.array(y).ravel() for y in step(q, target, damping))
        for _ in range(100):
            if np.abs(error).max() <= self.tolerance:
                break
            further, left = (np.array(y).ravel() for y in step(found, target, max(damping / 10, _DAMPING)))
            if left @ left < error @ error:
                q, error, damping, found = found, left, max(damping / 10, _DAMPING), further
            else:
                damping *= 10
                if damping > 1e6:
                    break
                found = np.array(step(q, target, damping)[0]).ravel()
        return q, error

    def _message(self, label: str, target: Array, q: Array, error: Array) -> str:
        low, high = self._limits
        ends = [
            f"{j.name} at its {'lower' if q[i] <= low[i] else 'upper'} end {q[i]:.4g} {j.unit}"
            for i, j in enumerate(self.tree.moving) if q[i] <= low[i] or q[i] >= high[i]
        ]
        place = ", ".join(f"{x:.4g}" for x in target[:3])
        left = f"{np.linalg.norm(error[:3]):.3g} m" + (f" and {np.linalg.norm(error[3:]):.3g} rad" if error.size > 3 else "")
        where = "; ".join(ends) or "no joint at an end of its range"
        return f"{self.tree.name}: {label} ({place}) m is out of reach of {self.frame!r}: {left} remain, {where}"


class _Buffered:
    """A function of (q, targets) with its own arrays, one row a target."""

    def __init__(self, function: Any, joints: int, tasks: int) -> None:
        self.q, self.targets = np.zeros(joints), np.zeros((_CHUNK, tasks))
        self.found, self.left = np.zeros((_CHUNK, joints)), np.zeros(_CHUNK)
        self.buffer, self.call = function.buffer()
        for k, array in enumerate((self.q, self.targets)):
            self.buffer.set_arg(k, array.data)
        for k, array in enumerate((self.found, self.left)):
            self.buffer.set_res(k, array.data)

    def __call__(self, q: Array, targets: Array) -> tuple[Array, Array]:
        self.q[:], self.targets[:] = q, targets
        self.call()
        return self.found, self.left
