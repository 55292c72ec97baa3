"""A nominal motion and the points at which a model is linearised along it.

The motion is smooth between its corners (where some derivative jumps) and at rest after its end. The
N intervals are shared among the smooth pieces by their length, at least six a piece, evenly spaced
within each; a corner belongs to both of its pieces, with one-sided accelerations.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gerotor.core.component import check_range
from gerotor.errors import InputError, ParameterError

Array = NDArray[np.float64]


class Motion(Protocol):
    """Positions, velocities and accelerations at rising times (N x n each); from the left at a corner if asked."""

    @property
    def duration(self) -> float: ...
    @property
    def corners(self) -> tuple[float, ...]: ...
    def at(self, times: Any, *, left: bool = False) -> tuple[Array, Array, Array]: ...


@dataclass(frozen=True, eq=False)
class TrajectoryMotion:
    """A trajectory in joint coordinates (say, a quintic through way-points) as a motion."""

    trajectory: Any

    @property
    def duration(self) -> float:
        return float(self.trajectory.duration)

    @property
    def corners(self) -> tuple[float, ...]:
        return tuple(self.trajectory.corners)

    def at(self, times: Any, *, left: bool = False) -> tuple[Array, Array, Array]:
        t = np.atleast_1d(np.asarray(times, dtype=float))
        side = np.nextafter(t, -np.inf) if left else t
        f = self.trajectory
        return np.asarray(f.position(t)), np.asarray(f.velocity(side)), np.asarray(f.acceleration(side))


def pieces(motion: Motion, points: int, until: float, *, split: bool = True) -> list[Array]:
    """Times of the points, one array a smooth piece; without `split` one array for the whole motion.

    Time after the motion's end up to `until` is one piece of one interval: nothing changes there.
    """
    if not 2 <= points <= 1_000_000:
        raise ParameterError(f"points = {points}: must be between 2 and 1000000")
    check_range("until", float(until), "s", {"above": 0})
    end = min(motion.duration, until)
    inner = [c for c in motion.corners if 0 < c < end] if split else []
    cuts = [0.0, *inner, end] if end > 0 else [0.0]
    out = []
    for a, b in itertools.pairwise(cuts):
        count = max(6, round(points * (b - a) / end))
        out.append(np.linspace(a, b, count + 1))
    if until > end:
        out.append(np.array([end, until]))
    return out


def sample(motion: Motion, grid: list[Array]) -> tuple[Array, Array, Array]:
    """q, v, a of every point of every piece, first and last of a piece from inside it."""
    out = []
    for times in grid:
        q, v, a = (z.copy() for z in motion.at(times))
        last = motion.at(times[-1:], left=True)
        q[-1], v[-1], a[-1] = (z[0] for z in last)
        if times[0] >= motion.duration:
            q[0], v[:], a[:] = q[-1], 0.0, 0.0
        out.append((q, v, a))
    q, v, a = (np.concatenate(z) for z in zip(*out, strict=True))
    if not (np.isfinite(q).all() and np.isfinite(v).all() and np.isfinite(a).all()):
        raise InputError("nominal motion: positions, velocities and accelerations must be finite numbers")
    return q, v, a
