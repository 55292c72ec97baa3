"""Constant speed for a given time, with a smooth start and stop where asked for.

    s' = v (3 x^2 - 2 x^3), x = t / rise       while t < rise                             (1)
    s' = v                                     in between
    s' = v (1 - 3 x^2 + 2 x^3), x = (t - T + fall) / fall   in the last `fall` seconds    (2)

Without `rise` the speed jumps at t = 0: a corner.
"""

from __future__ import annotations

from gerotor.control.profile import Profile, finite
from gerotor.core.component import check_range
from gerotor.errors import ParameterError


def constant_speed(speed: float, duration: float, *, rise: float = 0.0, fall: float = 0.0) -> Profile:
    """Speed (either sign) held for `duration`, which includes `rise` and `fall`; s(0) = 0."""
    check_range("constant_speed.speed", float(speed), "1/s", {})
    finite("constant_speed", "s", duration=duration)
    check_range("constant_speed.rise", float(rise), "s", {"least": 0})
    check_range("constant_speed.fall", float(fall), "s", {"least": 0})
    if rise + fall > duration:
        raise ParameterError(f"constant_speed.duration = {duration:g} s: must be at least rise + fall = {rise + fall:g} s")
    v = float(speed)
    pieces: list[tuple[float, tuple[float, ...]]] = []
    if rise:
        pieces.append((rise, (0.0, 0.0, 6 * v / rise**2, -12 * v / rise**3)))  # (1): rates of s at t = 0
    pieces.append((duration - rise - fall, (v,)))
    if fall:
        pieces.append((fall, (v, 0.0, -6 * v / fall**2, 12 * v / fall**3)))  # (2)
    return Profile.chain(pieces)
