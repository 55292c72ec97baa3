"""Geometry of a parallel (Stewart) platform with six legs, of any shape: kinematics both ways."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from gerotor.core.component import Expression
from gerotor.errors import NoSolutionError, ParameterError
from gerotor.maths.sparse_lu import SparseLU
from gerotor.mechanics.roll_pitch_yaw import attitude, body_rate, euler_rates

Point = tuple[float, float, float]


@dataclass(frozen=True)
class StewartGeometry:
    """Joints b_i on the base and a_i on the platform; pose q = (P, phi): position and roll-pitch-yaw.

      L_i = P + R a_i - b_i,   l_i = |L_i|,   n_i = L_i / l_i                             (1)
      l' = J (v ; w),   row i of J: [n_i^T  (R a_i x n_i)^T],   v = P', w = R E phi'     (2)
    Source: [yu2018, fig. 6 and eq. 22]; written out as usual for this mechanism. Singular where det J = 0.
    """

    base: tuple[Point, ...]
    platform: tuple[Point, ...]

    def __post_init__(self) -> None:
        if len(self.base) != 6 or len(self.platform) != 6:
            counts = f"{len(self.base)} base and {len(self.platform)} platform joints"
            raise ParameterError(f"StewartGeometry: {counts}: give six of each")
        numbers = [c for joint in (*self.base, *self.platform) for c in joint]
        if len(numbers) != 36 or not all(math.isfinite(c) for c in numbers):
            raise ParameterError("StewartGeometry: every joint takes three finite coordinates in m")

    @staticmethod
    def paired(*, base_radius: float, base_angle: float, platform_radius: float, platform_angle: float) -> StewartGeometry:
        """Joints in pairs, `angle` (rad) either side of 0, 120, 240 degrees on the base and of 60, 180, 300 on the platform."""

        def ring(radius: float, angles: Sequence[float]) -> tuple[Point, ...]:
            return tuple((radius * math.cos(a), radius * math.sin(a), 0.0) for a in angles)

        turn = [2 * math.pi / 3 * k for k in range(3)]
        base = [a for k in turn for a in (k + base_angle, k + 2 * math.pi / 3 - base_angle)]
        platform = [a for k in turn for a in (k + math.pi / 3 - platform_angle, k + math.pi / 3 + platform_angle)]
        return StewartGeometry(ring(base_radius, base), ring(platform_radius, platform))

    def legs(self, q: Expression) -> tuple[Expression, Expression, Expression]:
        """Lengths l (6), directions n (3 by 6) and arms R a (3 by 6)."""
        arms = attitude(q[3:]) @ ca.DM(np.transpose(self.platform))
        L = arms + ca.repmat(q[:3], 1, 6) - ca.DM(np.transpose(self.base))  # (1)
        l = ca.sqrt(ca.sum1(L * L))
        return l.T, L * ca.repmat(1 / l, 3, 1), arms

    def lengths(self, q: Expression) -> Expression:
        """l of (1)."""
        return self.legs(q)[0]

    def jacobian(self, q: Expression) -> Expression:
        """J of (2), 6 by 6."""
        _, n, arms = self.legs(q)
        return ca.vertcat(*[ca.horzcat(n[:, k].T, ca.cross(arms[:, k], n[:, k]).T) for k in range(6)])  # (2)

    def rate_map(self, q: Expression) -> Expression:
        """6 by 6 matrix from q' to (v ; w) of (2)."""
        unit = ca.SX.eye(3)
        turn = attitude(q[3:]) @ ca.horzcat(*[body_rate(q[3:], unit[:, k]) for k in range(3)])
        return ca.diagcat(unit, turn)

    def forward_step(self, lengths: Expression, guess: Expression, rates: Expression | None = None) -> Expression:
        """One Newton step of the forward kinematics; with the legs' `rates` also the twist, both from one factorisation.

        From a pose predicted one sample ahead, one step is enough.
        """
        lu = SparseLU(self.jacobian(guess))
        change = lu.solve(lengths - self.lengths(guess))
        pose = guess + pose_rate(guess, change)
        return pose if rates is None else (pose, lu.solve(rates))

    def inverse(self, pose: Any) -> NDArray[np.float64]:
        """Leg lengths at a pose, as numbers."""
        return np.asarray(self._numbers(_six(pose, "pose"), np.zeros(6))[0]).ravel()

    def matrix(self, pose: Any) -> NDArray[np.float64]:
        """J at a pose, as numbers."""
        return np.asarray(self._numbers(_six(pose, "pose"), np.zeros(6))[1])

    def forward(self, lengths: Any, guess: Any, *, tolerance: float = 1e-12, iterations: int = 50) -> NDArray[np.float64]:
        """The pose with these leg lengths nearest to `guess`, by Newton's method."""
        target, q = _six(lengths, "leg lengths"), _six(guess, "pose")
        for _ in range(iterations):
            now, _, step = self._numbers(q, target)
            error = float(np.max(np.abs(np.asarray(now).ravel() - target)))
            if error < tolerance:
                return q
            change = np.asarray(step).ravel() - q
            largest = float(np.max(np.abs(change)))
            if not math.isfinite(largest):
                break
            q = q + change * min(1.0, 0.5 / max(largest, 1e-300))
        raise NoSolutionError(f"leg lengths {np.round(target, 4)} m: no pose found; start from a nearer guess")

    @cached_property
    def _numbers(self) -> Any:
        q, l = ca.SX.sym("q", 6), ca.SX.sym("l", 6)
        return ca.Function("stewart", [q, l], [self.lengths(q), self.jacobian(q), self.forward_step(l, q)], {"cse": True})


def pose_rate(q: Expression, twist: Expression) -> Expression:
    """q' from the twist (v ; w)."""
    return ca.vertcat(twist[:3], euler_rates(q[3:], attitude(q[3:]).T @ twist[3:]))


def _six(values: Any, what: str) -> NDArray[np.float64]:
    vector = np.asarray(values, dtype=float).ravel()
    if vector.shape != (6,) or not np.all(np.isfinite(vector)):
        raise NoSolutionError(f"{what} = {np.asarray(values)}: six finite numbers are needed")
    return vector
