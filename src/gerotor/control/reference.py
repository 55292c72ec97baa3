"""Set-points as a part of the run: a trajectory evaluated at its own rate, or a table of numbers."""

from __future__ import annotations

from typing import Any, Literal, cast

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike, NDArray

from gerotor.control.trajectory import Trajectory
from gerotor.core.component import check_range
from gerotor.core.layout import Layout
from gerotor.core.sampled import Sampled
from gerotor.core.table import Table
from gerotor.errors import ParameterError

Quantity = Literal["position", "velocity", "acceleration"]


def reference(
    name: str, trajectory: Trajectory, *, period: float, holds: Layout, quantity: Quantity = "position"
) -> Sampled:
    """Holds the trajectory's `quantity` at every multiple of `period`, computed inside the run."""
    if len(holds) != trajectory.size:
        raise ParameterError(f"{name}.holds has {len(holds)} signals: must be {trajectory.size}, one a coordinate")
    evaluate = getattr(trajectory, quantity)

    def update(d: Any, r: Any, t: Any) -> tuple[Any, Any]:
        return d, evaluate(ca.SX(t))

    return Sampled(name=name, period=period, reads=(), holds=holds, update=update)


def table(name: str, period: float, rows: ArrayLike, holds: Layout) -> Table:
    """Precomputed set-points: row k is held from time k `period` on, the last row to the end."""
    return Table(name, period, cast("NDArray[np.float64]", rows), holds)


def rows(trajectory: Trajectory, period: float, quantity: Quantity = "position") -> NDArray[np.float64]:
    """The trajectory at 0, period, 2 period, ... up to its end and one sample beyond, for `table`."""
    check_range("rows.period", float(period), "s", {"above": 0})
    t = period * np.arange(int(np.ceil(trajectory.duration / period - 1e-9)) + 2)
    return np.asarray(getattr(trajectory, quantity)(t), dtype=float)
