"""Random numbers inside compiled code: the same seed gives the same run, with or without a compiler.

  s <- 16807 s mod (2^31 - 1),   u = s / (2^31 - 1)                                           (1)
  (a, b) = sqrt(-2 ln u1) (cos 2 pi u2, sin 2 pi u2)                                          (2)
(1) is exact in double precision and has period 2^31 - 2; good enough for sensor noise, not for cryptography.
Source: [park1988], [box1958].
"""

from __future__ import annotations

import math
from typing import Any

import casadi as ca

Expression = Any
_MODULUS = 2147483647.0


def seed_state(seed: int) -> float:
    """A valid start of the generator for any whole number."""
    state = (seed * 48271 + 12345) % 2147483647
    for _ in range(3):
        state = (state or 1) * 16807 % 2147483647
    return float(state)


def uniform(state: Expression) -> tuple[Expression, Expression]:
    """The next state and a number in (0, 1)."""
    state = ca.fmod(16807 * state, _MODULUS)  # (1)
    return state, state / _MODULUS


def normal(state: Expression, count: int) -> tuple[Expression, Expression]:
    """The next state and `count` independent numbers of mean 0 and deviation 1."""
    values: list[Expression] = []
    while len(values) < count:
        state, u1 = uniform(state)
        state, u2 = uniform(state)
        size, angle = ca.sqrt(-2 * ca.log(u1)), 2 * math.pi * u2
        values += [size * ca.cos(angle), size * ca.sin(angle)]  # (2)
    return state, ca.vertcat(*values[:count])
