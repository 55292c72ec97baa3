"""A motion along one coordinate: a piecewise polynomial of time, at rest before and after.

    s(t) = sum_m c_km (t - t_k)^m   for t_k <= t < t_(k+1),   t_0 = 0                     (1)
    s(t) = s(0) for t < 0, s(t) = s(T) for t > T = t_n                                    (2)

Time may be a number, a NumPy array or a CasADi expression. Derivatives at t_k are those from the
right, at T those from the left, and 0 outside [0, T].
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np

from gerotor.core.component import Expression, check_range
from gerotor.errors import ParameterError


@dataclass(frozen=True)
class Profile:
    """`times` t_0 ... t_n and, for each piece, `coefficients` c_k0, c_k1, ... of (1)."""

    times: tuple[float, ...]
    coefficients: tuple[tuple[float, ...], ...]
    start: float = 0.0

    def __post_init__(self) -> None:
        if len(self.times) != len(self.coefficients) + 1 or self.times[0] != 0.0:
            raise ParameterError("Profile.times: must start at 0 and be one more than the pieces")
        if not all(map(math.isfinite, itertools.chain(self.times, *self.coefficients, [self.start]))):
            raise ParameterError("Profile: every time and coefficient must be a finite number")
        if any(b <= a for a, b in itertools.pairwise(self.times)):
            raise ParameterError("Profile.times: must rise")

    @staticmethod
    def chain(pieces: Iterable[tuple[float, Sequence[float]]], start: float = 0.0) -> Profile:
        """Pieces (duration, rates s', s'', s''' at its beginning), position continuous; empty pieces are left out."""
        times, coefficients, s = [0.0], [], start
        for duration, rates in pieces:
            if times[-1] + duration > times[-1]:
                c = (s, *(r / math.factorial(m) for m, r in enumerate(rates, 1)))
                times.append(times[-1] + duration)
                coefficients.append(c)
                s = _horner(c, duration)
        return Profile(tuple(times), tuple(coefficients), start)

    @property
    def duration(self) -> float:
        return self.times[-1]

    @property
    def corners(self) -> tuple[float, ...]:
        """Times at which some derivative may jump."""
        return self.times if self.coefficients else ()

    @cached_property
    def end(self) -> float:
        """s(T)."""
        if not self.coefficients:
            return self.start
        return float(_horner(self.coefficients[-1], self.times[-1] - self.times[-2]))

    def position(self, t: Expression) -> Expression:
        return self._evaluate(t, 0)

    def velocity(self, t: Expression) -> Expression:
        return self._evaluate(t, 1)

    def acceleration(self, t: Expression) -> Expression:
        return self._evaluate(t, 2)

    def jerk(self, t: Expression) -> Expression:
        return self._evaluate(t, 3)

    def _evaluate(self, t: Expression, order: int) -> Expression:
        value: Any = self.start if order == 0 else 0.0
        for begin, end, c in zip(self.times, self.times[1:], self.coefficients, strict=False):
            piece = _horner(_differentiate(c, order), _clip(t, begin, end) - begin)  # (1)
            value = _choose(t >= begin, piece, value)
        return _choose(t > self.duration, self.end if order == 0 else 0.0, value)  # (2)


def finite(path: str, unit: str, **values: float) -> None:
    """Raise ParameterError unless every value is a finite number above 0."""
    for name, value in values.items():
        check_range(f"{path}.{name}", float(value), unit, {"above": 0})


def _differentiate(c: Sequence[float], order: int) -> list[float]:
    return [math.perm(m, order) * c[m] for m in range(order, len(c))]


def _horner(c: Sequence[float], x: Any) -> Any:
    value: Any = 0.0 * x
    for a in reversed(c):
        value = value * x + a
    return value


def _symbolic(t: Any) -> bool:
    return isinstance(t, ca.SX | ca.MX)


def _choose(condition: Any, a: Any, b: Any) -> Any:
    return ca.if_else(condition, a, b) if _symbolic(condition) else np.where(condition, a, b)


def _clip(t: Any, lower: float, upper: float) -> Any:
    return ca.fmin(ca.fmax(t, lower), upper) if _symbolic(t) else np.clip(t, lower, upper)
