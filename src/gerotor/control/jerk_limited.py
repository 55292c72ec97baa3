"""Jerk-limited (seven-segment, S-curve) profile: the fastest from rest to rest within three limits.

Rising from rest to speed v takes, with peak acceleration a = min(A, sqrt(v J)),

    t_a(v) = v / a + a / J                                                                (1)

and covers v t_a / 2, as does braking. Full speed V is reached if V t_a(V) <= |D|; otherwise the
peak speed v solves v t_a(v) = |D|:

    v = A/2 (sqrt((A/J)^2 + 4 |D| / A) - A/J)   if that is at least A^2 / J                (2)
    v = (|D| sqrt(J) / 2)^(2/3)                 otherwise                                 (3)
"""

from __future__ import annotations

import math

from gerotor.control.profile import Profile, finite
from gerotor.core.component import check_range


def jerk_limited(distance: float, speed: float, acceleration: float, jerk: float) -> Profile:
    """From rest to rest over `distance` (either sign); zero distance gives a profile of duration 0."""
    check_range("jerk_limited.distance", float(distance), "1", {})
    finite("jerk_limited", "1/s", speed=speed)
    finite("jerk_limited", "1/s^2", acceleration=acceleration)
    finite("jerk_limited", "1/s^3", jerk=jerk)
    length, sign = abs(distance), math.copysign(1.0, distance)
    v = min(speed, _peak_speed(length, acceleration, jerk))
    if v == 0.0:
        return Profile.chain([])
    a = min(acceleration, math.sqrt(v) * math.sqrt(jerk))
    bend, steady = a / jerk, max(v / a - a / jerk, 0.0)
    cruise = max(length / v - (v / a + a / jerk), 0.0)  # (1)
    rates = 0.0, 0.0
    pieces = []
    full = sign * jerk
    for duration, j in ((bend, full), (steady, 0.0), (bend, -full), (cruise, 0.0), (bend, -full), (steady, 0.0), (bend, full)):
        pieces.append((duration, (*rates, j)))
        rates = rates[0] + duration * (rates[1] + duration * j / 2), rates[1] + duration * j
    return Profile.chain(pieces)


def _peak_speed(length: float, acceleration: float, jerk: float) -> float:
    """The speed at which rising and braking alone cover the length."""
    bend = acceleration / jerk
    v = 2 * length / (math.hypot(bend, 2 * math.sqrt(length / acceleration)) + bend)  # (2), without cancellation
    if v >= acceleration * bend:
        return v
    return math.pow(length * math.sqrt(jerk) / 2, 2 / 3)  # (3)
