"""Workspace of a parallel platform: leg stroke and distance from singularity over a box of poses."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gerotor.errors import NoSolutionError, ParameterError
from gerotor.mechanics.stewart import StewartGeometry


@dataclass(frozen=True)
class Workspace:
    """Leg lengths met, and the condition number of the Jacobian with angles scaled by `radius`; 1 is best."""

    shortest: float
    longest: float
    condition: float
    worst_pose: tuple[float, ...]


def survey(geometry: StewartGeometry, centre: Any, reach: Sequence[float], *, radius: float, steps: int = 3) -> Workspace:
    """Sample the box centre +- reach (m, rad) with `steps` values an axis, corners included."""
    if steps < 2:
        raise ParameterError(f"steps = {steps}: must be at least 2 to reach the corners")
    middle = np.asarray(centre, dtype=float)
    axes = [m + r * np.linspace(-1, 1, steps) if r else np.array([m]) for m, r in zip(middle, reach, strict=True)]
    shortest, longest, worst, pose_at = np.inf, 0.0, 0.0, tuple(middle)
    for pose in itertools.product(*axes):
        lengths = geometry.inverse(pose)
        condition = condition_number(geometry, pose, radius)
        shortest, longest = min(shortest, lengths.min()), max(longest, lengths.max())
        if condition > worst:
            worst, pose_at = condition, tuple(float(v) for v in pose)
    return Workspace(float(shortest), float(longest), float(worst), pose_at)


def condition_number(geometry: StewartGeometry, pose: Any, radius: float) -> float:
    """cond(J diag(1, 1, 1, 1/r, 1/r, 1/r)): infinite in a singular pose."""
    return float(np.linalg.cond(geometry.matrix(pose) / np.array([1, 1, 1, radius, radius, radius])))


def check_pose(
    geometry: StewartGeometry, pose: Any, *, shortest: float, longest: float, radius: float, most: float = 100.0
) -> None:
    """Raise NoSolutionError unless every leg is within its stroke and the pose is away from singularity."""
    for k, length in enumerate(geometry.inverse(pose)):
        if not shortest <= length <= longest:
            allowed = f"must be between {shortest:g} and {longest:g} m"
            raise NoSolutionError(f"leg {k + 1} = {length:.4f} m: {allowed}; move the pose nearer to home")
    condition = condition_number(geometry, pose, radius)
    if not condition <= most:
        raise NoSolutionError(f"condition number {condition:.3g}: must be at most {most:g}; the platform is near a singularity")
