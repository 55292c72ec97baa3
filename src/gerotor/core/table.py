"""Precomputed set-points: rows of numbers, one a sample, held between samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gerotor.core.component import check_range
from gerotor.core.layout import Layout
from gerotor.errors import ParameterError


@dataclass(frozen=True, eq=False)
class Table:
    """Row k is held from time k `period` on; the last row is kept to the end of the run."""

    name: str
    period: float
    rows: NDArray[np.float64]
    holds: Layout

    def __post_init__(self) -> None:
        check_range(f"{self.name}.period", self.period, "s", {"above": 0})
        try:
            rows = np.array(self.rows, dtype=float, order="C")
        except (TypeError, ValueError) as error:
            raise ParameterError(f"{self.name}.rows: must be a two-dimensional array of numbers") from error
        if rows.ndim != 2 or not len(rows):
            raise ParameterError(f"{self.name}.rows has shape {rows.shape}: must be samples by signals, at least one sample")
        if rows.shape[1] != len(self.holds):
            raise ParameterError(f"{self.name}.rows has {rows.shape[1]} columns: must be {len(self.holds)}, one a held signal")
        if not np.isfinite(rows).all():
            k, j = (int(i) for i in np.argwhere(~np.isfinite(rows))[0])
            raise ParameterError(f"{self.name}.rows[{k}, {j}] = {rows[k, j]}: must be a finite number")
        rows.setflags(write=False)
        object.__setattr__(self, "rows", rows)

    @property
    def duration(self) -> float:
        """Time of the last row."""
        return (len(self.rows) - 1) * self.period

    def at(self, t: float) -> NDArray[np.float64]:
        """The row held at time t."""
        k = int(np.clip(np.floor(t / self.period + 1e-9), 0, len(self.rows) - 1))
        return np.asarray(self.rows[k])
