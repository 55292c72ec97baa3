"""Straight line from point to point.

    p(t) = p_0 + s(t) n,   n = (p_1 - p_0) / |p_1 - p_0|                                  (1)

s(t) is any speed profile over the length. A line of zero length stays at its point, duration 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gerotor.control.constant_speed import constant_speed
from gerotor.control.jerk_limited import jerk_limited
from gerotor.control.profile import Profile, finite
from gerotor.control.trajectory import point, stack
from gerotor.control.trapezoid import trapezoid
from gerotor.core.component import Expression
from gerotor.errors import ParameterError


@dataclass(frozen=True)
class Line:
    """A line in any number of coordinates, `direction` of unit length."""

    start: tuple[float, ...]
    direction: tuple[float, ...]
    profile: Profile

    @property
    def size(self) -> int:
        return len(self.start)

    @property
    def duration(self) -> float:
        return self.profile.duration

    @property
    def corners(self) -> tuple[float, ...]:
        return self.profile.corners

    def position(self, t: Expression) -> Expression:
        s = self.profile.position(t)
        return stack([p + s * n for p, n in zip(self.start, self.direction, strict=True)])  # (1)

    def velocity(self, t: Expression) -> Expression:
        s = self.profile.velocity(t)
        return stack([s * n for n in self.direction])

    def acceleration(self, t: Expression) -> Expression:
        s = self.profile.acceleration(t)
        return stack([s * n for n in self.direction])


def line(
    start: Sequence[float],
    end: Sequence[float],
    *,
    speed: float,
    acceleration: float | None = None,
    jerk: float | None = None,
) -> Line:
    """A line at constant speed, or from rest to rest with an acceleration limit and perhaps a jerk limit."""
    p = point("line.start", start)
    q = point("line.end", end, len(p))
    finite("line", "m/s", speed=speed)
    if jerk is not None and acceleration is None:
        raise ParameterError("line.jerk: a jerk limit needs an acceleration limit too")
    length = math.dist(p, q)
    if acceleration is not None and jerk is not None:
        profile = jerk_limited(length, speed, acceleration, jerk)
    elif acceleration is not None:
        profile = trapezoid(length, speed, acceleration)
    else:
        profile = constant_speed(speed, length / speed) if length else Profile.chain([])
    direction = tuple((b - a) / length if length else 0.0 for a, b in zip(p, q, strict=True))
    return Line(p, direction, profile)
