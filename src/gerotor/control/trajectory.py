"""What every trajectory offers: position, velocity and acceleration as expressions of time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import casadi as ca
import numpy as np

from gerotor.core.component import Expression, check_range
from gerotor.errors import ParameterError


class Trajectory(Protocol):
    """A motion of `size` coordinates from t = 0 to `duration`, at rest outside.

    For a time of shape (...) the NumPy answer has shape (..., size); for a CasADi time it is a column.
    `corners` are the times at which some derivative may jump: an integrator should stop there.
    """

    @property
    def size(self) -> int: ...
    @property
    def duration(self) -> float: ...
    @property
    def corners(self) -> tuple[float, ...]: ...
    def position(self, t: Expression) -> Expression: ...
    def velocity(self, t: Expression) -> Expression: ...
    def acceleration(self, t: Expression) -> Expression: ...


def stack(values: Sequence[Any]) -> Expression:
    """Coordinates side by side: a CasADi column, or a new last axis of a NumPy array."""
    if any(isinstance(v, ca.SX | ca.MX) for v in values):
        return ca.vertcat(*values)
    return np.stack(np.broadcast_arrays(*values), axis=-1)


def point(path: str, values: Sequence[float], size: int | None = None) -> tuple[float, ...]:
    """`values` as finite floats, `size` of them."""
    numbers = tuple(float(v) for v in values)
    if not numbers or (size is not None and len(numbers) != size):
        raise ParameterError(f"{path} has {len(numbers)} coordinates: must have {size or 'at least 1'}")
    check_range(path, numbers, "1", {})
    return numbers
