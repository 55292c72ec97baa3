"""Sums over the evenly spaced teeth of a disc that lie in a window of angles, without a loop.

Teeth stand at phase + n delta, delta = 2 pi / N. Those in [lower, upper) are m in number, the first
n = ceil((lower - phase) / delta), and with c the mean of their angles

    sum cos(k a) = sin(k m delta / 2) / sin(k delta / 2) cos(k c),   likewise sin          (1)

(geometric sums, exact). Averaged over the phase they are integrals:

    N / (2 pi) int cos(k a) da   from lower to upper                                       (2)

and averaged while the phase goes from p to p + D, with g one of 1, cos, cos 2., sin 2. and G its integral,

    (S(p + D) - S(p)) / D,   S(p) = sum G(a_n) + i G(lower) - j G(upper)                   (3)

the sum over the teeth i <= n < j in the window at phase p: teeth before and beyond it count as at its
ends, which cancels all but the time each spends inside. (3) tends to (1) for D -> 0, to (2) for large D.

Angles are measured from the feed direction. Only the leading half, |a| < pi/2, cuts: behind it the
slot is open already. A window of at most pi, its middle brought to -pi .. pi, meets that half once.
Source of tooth angles: [kim2021, eq. 7]. The windows printed there (eq. 8) lose the half of the arc
that lies beyond 2 pi; here angles wrap.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Expression


@dataclass(frozen=True)
class ToothSums:
    """Number of teeth and the sums of cos a, cos 2a, sin 2a over them."""

    count: Expression
    cos: Expression
    cos2: Expression
    sin2: Expression

    def __add__(self, other: ToothSums) -> ToothSums:
        return ToothSums(
            self.count + other.count, self.cos + other.cos, self.cos2 + other.cos2, self.sin2 + other.sin2
        )


def leading(lower: Expression, upper: Expression) -> tuple[Expression, Expression]:
    """The part of a window (at most pi wide) that lies in the leading half; empty: lower = upper."""
    turns = 2 * math.pi * ca.floor((lower + upper) / (4 * math.pi) + 0.5)
    begin = ca.fmin(ca.fmax(lower - turns, -math.pi / 2), math.pi / 2)
    return begin, ca.fmax(ca.fmin(upper - turns, math.pi / 2), begin)


def sums(lower: Expression, upper: Expression, phase: Expression, teeth: int) -> ToothSums:
    """Over the teeth in [lower, upper), at this moment, (1)."""
    delta = 2 * math.pi / teeth
    first = ca.ceil((lower - phase) / delta)
    m = ca.ceil((upper - phase) / delta) - first
    c = phase + (first + (m - 1) / 2) * delta
    double = ca.sin(m * delta) / math.sin(delta)  # (1), k = 2
    return ToothSums(
        count=m,
        cos=ca.sin(m * delta / 2) / math.sin(delta / 2) * ca.cos(c),  # (1), k = 1
        cos2=double * ca.cos(2 * c),
        sin2=double * ca.sin(2 * c),
    )


def passing_sums(lower: Expression, upper: Expression, phase: Expression, advance: Expression, teeth: int) -> ToothSums:
    """Averaged while the phase goes on by `advance` (either sign, not 0), (3)."""
    delta = 2 * math.pi / teeth
    phase = phase - delta * ca.floor(phase / delta)
    begin, end = _passed(lower, upper, phase, delta), _passed(lower, upper, phase + advance, delta)
    return ToothSums(*((b - a) / advance for a, b in zip(begin, end, strict=True)))


def _passed(lower: Expression, upper: Expression, phase: Expression, delta: float) -> list[Expression]:
    """S of (3) for count, cos, cos 2a, sin 2a."""
    i, j = ca.ceil((lower - phase) / delta), ca.ceil((upper - phase) / delta)
    m = j - i
    c = phase + (i + (m - 1) / 2) * delta
    single, double = ca.sin(m * delta / 2) / math.sin(delta / 2), ca.sin(m * delta) / math.sin(delta) / 2
    inside = (m * c, single * ca.sin(c), double * ca.sin(2 * c), -double * ca.cos(2 * c))

    def ends(a: Expression) -> tuple[Expression, ...]:
        return a, ca.sin(a), ca.sin(2 * a) / 2, -ca.cos(2 * a) / 2

    return [s + i * g - j * f for s, g, f in zip(inside, ends(lower), ends(upper), strict=True)]


def mean_sums(lower: Expression, upper: Expression, teeth: int) -> ToothSums:
    """Averaged over the passing of a tooth, (2)."""
    density = teeth / (2 * math.pi)
    return ToothSums(
        count=density * (upper - lower),
        cos=density * (ca.sin(upper) - ca.sin(lower)),
        cos2=density * (ca.sin(2 * upper) - ca.sin(2 * lower)) / 2,
        sin2=density * (ca.cos(2 * lower) - ca.cos(2 * upper)) / 2,
    )
