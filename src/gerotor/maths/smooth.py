"""Roots, signs, corners without kinks: the one place where anything is smoothed.

With a width w > 0, in the unit of the argument:

    abs(x)     = sqrt(x^2 + w^2)                                                      (1)
    sign(x)    = x / sqrt(x^2 + w^2)                                                  (2)
    root(x)    = x (x^2 + w^2)^(-1/4)          -> sgn(x) sqrt|x|,  slope w^(-1/2) at 0  (3)
    square(x)  = x sqrt(x^2 + w^2)             -> x |x|,           slope w at 0         (4)
    ramp(x)    = (x + sqrt(x^2 + w^2)) / 2     -> max(x, 0),       w/2 at 0             (5)
    gate(x)    = x+^2 (x+^2 + w^2)^(-3/4)      -> sqrt(x) for x > 0, exactly 0 below    (6)
    onset(x)   = c (x - c/2) / w, c = x clipped to 0..w  -> x - w/2, exactly 0 below    (7)
    rise(x)    = t^2 (3 - 2 t),   t = c / w    -> 0 below 0, 1 above w                  (8)

Values and derivatives are finite for |x| up to 1e150. (3) is off by less than 0.3 % for
|x| > 10 w. Where a width may be 0 the corner is sharp: the value is exact, the derivative at
the corner the mean of both sides. Roots are written sqrt(sqrt(.)), never as a power.
"""

from __future__ import annotations

from typing import Any

import casadi as ca

Expression = Any


def absolute(x: Expression, width: Expression = 0.0) -> Expression:
    """|x|, (1); sharp for width 0."""
    return ca.fabs(x) if _sharp(width) else ca.sqrt(x * x + width * width)


def sign(x: Expression, width: Expression) -> Expression:
    """-1 .. 1, (2)."""
    return x / ca.sqrt(x * x + width * width)


def signed_root(x: Expression, width: Expression) -> Expression:
    """Signed square root, (3)."""
    return x / ca.sqrt(ca.sqrt(x * x + width * width))


def signed_square(x: Expression, width: Expression = 0.0) -> Expression:
    """Signed square, (4)."""
    return x * absolute(x, width)


def ramp(x: Expression, width: Expression = 0.0) -> Expression:
    """Positive part, (5); sharp for width 0."""
    return ca.fmax(x, 0) if _sharp(width) else (x + absolute(x, width)) / 2


def one_way_root(x: Expression, width: Expression) -> Expression:
    """Square root that is exactly 0 for x <= 0 and leaves 0 with slope 0, (6)."""
    x = ca.fmax(x, 0)
    r = ca.sqrt(x * x + width * width)
    return x * x / (r * ca.sqrt(r))


def maximum(a: Expression, b: Expression, width: Expression = 0.0) -> Expression:
    """The larger of two; sharp for width 0."""
    return ca.fmax(a, b) if _sharp(width) else b + ramp(a - b, width)


def minimum(a: Expression, b: Expression, width: Expression = 0.0) -> Expression:
    """The smaller of two; sharp for width 0."""
    return ca.fmin(a, b) if _sharp(width) else b - ramp(b - a, width)


def clip(x: Expression, lower: Expression, upper: Expression, width: Expression = 0.0) -> Expression:
    """x between two bounds; sharp for width 0."""
    return maximum(minimum(x, upper, width), lower, width)


def onset(x: Expression, width: Expression) -> Expression:
    """Exactly 0 for x <= 0, slope 1 from `width` on, continuous slope, (7)."""
    c = ca.fmin(ca.fmax(x, 0), width)
    return c * (x - c / 2) / width


def rise(x: Expression, width: Expression) -> Expression:
    """From 0 at x <= 0 to 1 at `width`, continuous slope, (8)."""
    t = ca.fmin(ca.fmax(x, 0), width) / width
    return t * t * (3 - 2 * t)


def _sharp(width: Expression) -> bool:
    return isinstance(width, int | float) and width == 0
