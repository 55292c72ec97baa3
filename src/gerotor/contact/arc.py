"""Where the rim of a disc lies inside a circle.

The rim of a disc (radius R) is inside a circle (radius r, centre at distance d) over the angles
psi - theta .. psi + theta, psi being the direction from the disc's centre to the circle's:

    theta = acos(c),   c = (d^2 + R^2 - r^2) / (2 d R)                                    (1)
    theta = 0 for c >= 1 (apart, or the circle inside the disc),  pi for c <= -1          (2)

A pipe wall is met between theta of the inner and theta of the outer circle. (2) covers all regimes
of a cut: no contact, outer wall only, two arcs, far wall only, cut through.
Source: [kim2021, eq. 6] with two corrections: the argument of acos leaves -1 .. 1 whenever the
circles do not meet, and the direction is an atan2 of both offsets (the printed arcsin of a
magnitude mirrors the arc for half of all pipe positions). Finite, with finite derivatives, for any
offset; d is kept above 1e-9 R.
"""

from __future__ import annotations

import math

import casadi as ca

from gerotor.core.component import Expression


def half_angle(d: Expression, disc_radius: Expression, radius: Expression) -> Expression:
    """theta of (1), (2)."""
    c = (d * d + disc_radius * disc_radius - radius * radius) / (2 * d * disc_radius)  # (1)
    crossing = ca.fabs(c) < 1
    return ca.if_else(crossing, ca.acos(ca.if_else(crossing, c, 0)), ca.if_else(c < 0, math.pi, 0))  # (2)


def direction(y: Expression, z: Expression, disc_radius: Expression) -> tuple[Expression, Expression]:
    """Distance d and angle psi of the circle's centre at the offset (y, z) from the disc's."""
    least = 1e-9 * disc_radius
    apart = y * y + z * z > least * least
    y = ca.if_else(apart, y, least)
    return ca.sqrt(y * y + z * z), ca.atan2(z, y)
