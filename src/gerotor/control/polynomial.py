"""Quintic motion of several joints through way-points.

Between two way-points each joint follows a polynomial of degree five. By default the pieces join
with four continuous derivatives (the interpolating quintic spline); speed and acceleration are 0 at
both ends. With `stop` they are 0 at every way-point:

    q(t) = q_0 + (q_1 - q_0) (10 x^3 - 15 x^4 + 6 x^5),   x = (t - t_0) / (t_1 - t_0)     (1)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from gerotor.control.profile import Profile
from gerotor.control.trajectory import stack
from gerotor.core.component import Expression
from gerotor.errors import ParameterError


@dataclass(frozen=True)
class Polynomial:
    """One profile a joint."""

    profiles: tuple[Profile, ...]

    @property
    def size(self) -> int:
        return len(self.profiles)

    @property
    def duration(self) -> float:
        return self.profiles[0].duration

    @property
    def corners(self) -> tuple[float, ...]:
        return self.profiles[0].corners

    def position(self, t: Expression) -> Expression:
        return stack([p.position(t) for p in self.profiles])

    def velocity(self, t: Expression) -> Expression:
        return stack([p.velocity(t) for p in self.profiles])

    def acceleration(self, t: Expression) -> Expression:
        return stack([p.acceleration(t) for p in self.profiles])


def quintic(times: Sequence[float], points: ArrayLike, *, stop: bool = False) -> Polynomial:
    """Through `points` (way-points by joints) at `times`, which start at 0 and rise."""
    t, q = np.asarray(times, dtype=float), np.asarray(points, dtype=float)
    if t.ndim != 1 or len(t) < 2 or q.ndim != 2 or len(q) != len(t) or not q.shape[1]:
        raise ParameterError(f"quintic.points has shape {q.shape}: must be way-points (at least 2, one a time) by joints")
    if not (np.isfinite(t).all() and np.isfinite(q).all()):
        raise ParameterError("quintic: every time and way-point must be finite")
    if t[0] != 0 or (np.diff(t) <= 0).any():
        raise ParameterError("quintic.times: must start at 0 s and rise")
    coefficients = _stopping(t, q) if stop else _spline(t, q)
    breaks = tuple(t.tolist())
    return Polynomial(
        tuple(Profile(breaks, tuple(map(tuple, c.tolist())), float(q[0, j])) for j, c in enumerate(coefficients))
    )


def _stopping(t: np.ndarray, q: np.ndarray) -> np.ndarray:
    """(1): joints by pieces by rising powers."""
    span = np.diff(t)[:, None]
    change = np.diff(q, axis=0)
    zero = np.zeros_like(change)
    with np.errstate(all="ignore"):  # a span too short for finite powers is refused by the profile
        powers = [q[:-1], zero, zero, 10 * change / span**3, -15 * change / span**4, 6 * change / span**5]  # (1)
    return np.stack(powers, axis=-1).transpose(1, 0, 2)


def _spline(t: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The interpolating quintic spline at rest at both ends, same shape."""
    rest = [(1, np.zeros(q.shape[1])), (2, np.zeros(q.shape[1]))]
    from scipy.interpolate import PPoly, make_interp_spline  # slow to import, needed here only

    spline = make_interp_spline(t, q, k=5, bc_type=(rest, rest))  # type: ignore[arg-type]
    pieces = [
        np.stack([PPoly.from_spline((spline.t, spline.c[:, j], 5)).derivative(m)(t[:-1]) for m in range(6)], axis=-1)
        for j in range(q.shape[1])
    ]
    return np.asarray(np.stack(pieces) / np.array([1, 1, 2, 6, 24, 120]))
