"""Trapezoid speed profile: accelerate, cruise, brake.

    t_a = v / a,   t_c = |D| / v - v / a                                                  (1)
    v = sqrt(a |D|),   t_c = 0      where the distance is too short to reach full speed   (2)
"""

from __future__ import annotations

import math

from gerotor.control.profile import Profile, finite
from gerotor.core.component import check_range


def trapezoid(distance: float, speed: float, acceleration: float) -> Profile:
    """From rest to rest over `distance` (either sign); zero distance gives a profile of duration 0."""
    check_range("trapezoid.distance", float(distance), "1", {})
    finite("trapezoid", "1/s", speed=speed)
    finite("trapezoid", "1/s^2", acceleration=acceleration)
    length, sign = abs(distance), math.copysign(1.0, distance)
    v = min(speed, math.sqrt(acceleration) * math.sqrt(length))  # (2)
    if v == 0.0:
        return Profile.chain([])
    ramp, cruise = v / acceleration, max(length / v - v / acceleration, 0.0)  # (1)
    a = sign * acceleration
    return Profile.chain([(ramp, (0.0, a)), (cruise, (sign * v,)), (ramp, (sign * v, -a))])
