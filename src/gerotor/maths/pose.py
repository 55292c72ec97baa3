"""A pose: rotation and translation of one frame in another, numbers or expressions.

    r_A = R_AB r_B + p_AB                                                                (1)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from gerotor.errors import ParameterError
from gerotor.maths.rotation import exact, matrix, numbers, rotation_rpy, tidy, vector

Expression = Any


@dataclass(frozen=True, eq=False)
class Pose:
    """Pose of frame B in frame A. `Pose()` is the identity; `X_AC = X_AB @ X_BC`."""

    rotation: Expression = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    translation: Expression = (0, 0, 0)

    def __post_init__(self) -> None:
        r, p = numbers(self.rotation), numbers(self.translation)
        object.__setattr__(self, "rotation", tidy(matrix(self.rotation)) if r is None else ca.SX(ca.DM(exact(r))))
        object.__setattr__(self, "translation", tidy(vector(self.translation)) if p is None else ca.SX(ca.DM(exact(p.ravel()))))
        if self.rotation.shape != (3, 3) or self.translation.shape != (3, 1):
            shapes = f"{self.rotation.shape} and {self.translation.shape}"
            raise ParameterError(f"pose: needs a 3 x 3 rotation and 3 coordinates, got {shapes}")
        if r is not None and (not np.all(np.isfinite(r)) or np.abs(r @ r.T - np.eye(3)).max() > 1e-6 or np.linalg.det(r) < 0):
            raise ParameterError("pose.rotation: must be a right-handed rotation matrix; check its rows")
        if p is not None and not np.all(np.isfinite(p)):
            raise ParameterError("pose.translation: must be finite numbers")

    @staticmethod
    def at(x: Expression = 0, y: Expression = 0, z: Expression = 0, *,
           roll: Expression = 0, pitch: Expression = 0, yaw: Expression = 0) -> Pose:
        """From coordinates and fixed-axis angles (roll about x first, yaw about z last)."""
        return Pose(rotation_rpy(roll, pitch, yaw), (x, y, z))

    def __matmul__(self, other: Pose) -> Pose:
        return Pose(self.rotation @ other.rotation, self.apply(other.translation))

    def apply(self, point: Any) -> Expression:
        """Coordinates in A of a point given in B."""
        return self.rotation @ vector(point) + self.translation  # (1)

    def inverse(self) -> Pose:
        """Pose of A in B."""
        return Pose(self.rotation.T, -(self.rotation.T @ self.translation))
