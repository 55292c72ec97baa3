"""Circle in any plane.

    p(t) = c + r (cos(phi) a + sin(phi) b),   phi = phi_0 + s(t)                          (1)
    p'   = r s' (-sin(phi) a + cos(phi) b)                                                (2)
    p''  = r s'' (-sin(phi) a + cos(phi) b) - r s'^2 (cos(phi) a + sin(phi) b)            (3)

a and b are orthogonal unit vectors that span the plane; s(t) is the swept angle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from gerotor.control.constant_speed import constant_speed
from gerotor.control.profile import Profile, finite
from gerotor.control.trajectory import point, stack
from gerotor.core.component import Expression, check_range
from gerotor.errors import ParameterError


@dataclass(frozen=True)
class Circle:
    """A circle about `centre`, from the angle `phase` measured from `first` towards `second`."""

    centre: tuple[float, ...]
    radius: float
    first: tuple[float, ...]
    second: tuple[float, ...]
    phase: float
    profile: Profile

    @property
    def size(self) -> int:
        return len(self.centre)

    @property
    def duration(self) -> float:
        return self.profile.duration

    @property
    def corners(self) -> tuple[float, ...]:
        return self.profile.corners

    def position(self, t: Expression) -> Expression:
        c, s = self._cos_sin(t)
        axes = zip(self.centre, self.first, self.second, strict=True)
        return stack([o + self.radius * (c * a + s * b) for o, a, b in axes])  # (1)

    def velocity(self, t: Expression) -> Expression:
        c, s = self._cos_sin(t)
        along = self.radius * self.profile.velocity(t)
        return stack([along * (c * b - s * a) for a, b in zip(self.first, self.second, strict=True)])  # (2)

    def acceleration(self, t: Expression) -> Expression:
        c, s = self._cos_sin(t)
        along = self.radius * self.profile.acceleration(t)
        inward = self.radius * self.profile.velocity(t) ** 2
        axes = zip(self.first, self.second, strict=True)
        return stack([along * (c * b - s * a) - inward * (c * a + s * b) for a, b in axes])  # (3)

    def _cos_sin(self, t: Expression) -> tuple[Expression, Expression]:
        phi = self.phase + self.profile.position(t)
        library = ca if isinstance(phi, ca.SX | ca.MX) else np
        return library.cos(phi), library.sin(phi)


def circle(
    centre: Sequence[float],
    radius: float,
    *,
    first: Sequence[float],
    second: Sequence[float],
    speed: float,
    duration: float,
    rise: float = 0.0,
    fall: float = 0.0,
    phase: float = 0.0,
) -> Circle:
    """A circle at angular `speed` (either sign) for `duration`, with a smooth start and stop; angles in rad."""
    c = point("circle.centre", centre)
    a, b = point("circle.first", first, len(c)), point("circle.second", second, len(c))
    finite("circle", "m", radius=radius)
    check_range("circle.phase", float(phase), "rad", {})
    if speed == 0:
        raise ParameterError("circle.speed = 0 rad/s: must not be 0")
    if not np.allclose([np.dot(a, a), np.dot(b, b), np.dot(a, b)], [1, 1, 0], rtol=0, atol=1e-9):
        raise ParameterError("circle.first and circle.second: must be orthogonal unit vectors")
    return Circle(c, float(radius), a, b, float(phase), constant_speed(speed, duration, rise=rise, fall=fall))
