"""Coefficients between points, as a table of a run: one row a hold period T, evaluated once, before the run.

    matrices   linear between points, constant over a period: their value at its middle   (1)
    vectors    a cubic spline over each smooth piece, straight over a period:
               z = c0 + s c1,  c0 = z(t),  c1 = (z(t + T) - z(t)) / T,  s = time since the row's beginning  (2)

With T of a few steps this loses less than the interpolation itself, and leaves the run one
multiplication a vector entry and none a matrix entry. An entry that never changes is a constant of
the code.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import casadi as ca
import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from gerotor.core.component import Expression

Array = NDArray[np.float64]
_SAME = 1e-12


def linear(times: Array, starts: NDArray[np.int64], values: Array, at: Array) -> Array:
    """Values (points x entries) at other times, linear within the pieces."""
    k = _interval(times, starts, at)
    share = np.clip((at - times[k]) / (times[k + 1] - times[k]), 0, 1)[:, None]
    return np.asarray((1 - share) * values[k] + share * values[k + 1])


def cubic(times: Array, starts: NDArray[np.int64], values: Array, at: Array, *, left: bool = False) -> Array:
    """Values (points x entries) at other times, a cubic spline over each piece; at a corner from the right or the left."""
    out = np.empty((len(at), values.shape[1]))
    bounds = [*starts.tolist(), len(times)]
    for k, (a, b) in enumerate(itertools.pairwise(bounds)):
        begin = -np.inf if k == 0 else times[a]
        end = np.inf if b == len(times) else times[b - 1]
        inside = (at > begin) & (at <= end) if left else (at >= begin) & (at < end)
        out[inside] = CubicSpline(times[a:b], values[a:b])(np.clip(at[inside], times[a], times[b - 1]))
    return out


def _interval(times: Array, starts: NDArray[np.int64], at: Array) -> NDArray[np.int64]:
    """The point before each time, never the last of a piece."""
    k = np.clip(np.searchsorted(times, at, side="right") - 1, 0, len(times) - 2)
    return np.asarray(np.where(np.isin(k + 1, starts[1:]), k - 1, k))


@dataclass(frozen=True, eq=False)
class Curve:
    """One array of entries over the rows of a table: constants where nothing changes, held signals elsewhere."""

    name: str
    shape: tuple[int, ...]
    constant: Array  # entries, where not `varying`
    varying: NDArray[np.bool_]  # entries
    rows: Array  # rows x (1 or 2 times the varying entries)

    @staticmethod
    def of(name: str, shape: tuple[int, ...], values: Array, slopes: Array | None = None, *, symmetric: bool = False) -> Curve:
        """From rows x entries and, for vectors, their slopes; of a symmetric matrix the lower triangle is held."""
        size = max(float(np.abs(values).max(initial=0)), 1e-300)
        varying = np.ptp(values, axis=0) > _SAME * size
        if symmetric:
            varying &= np.tril(np.ones(shape, dtype=bool)).ravel()
        constant = np.array([float(f"{x:.12g}") if abs(x) > _SAME * size else 0.0 for x in values[0]])  # same code for any N
        rows = [values[:, varying]] + ([] if slopes is None else [slopes[:, varying]])
        return Curve(name, shape, constant, varying, np.hstack(rows))

    @property
    def names(self) -> tuple[str, ...]:
        """Of the held signals: name, entry, and "rate" for slopes."""
        entries = np.flatnonzero(self.varying).tolist()
        values = [f"{self.name}_{k}" for k in entries]
        return tuple(values + ([f"{v}_rate" for v in values] if self.rows.shape[1] > len(entries) else []))

    def __call__(self, held: Expression, s: Expression) -> Expression:
        """The array from its held signals, sparse."""
        entries = np.flatnonzero(self.varying).tolist()
        columns = self.shape[1] if len(self.shape) == 2 else 1
        out = ca.SX(self.shape[0], columns)
        for k in np.flatnonzero(~self.varying & (self.constant != 0)).tolist():
            out[k // columns, k % columns] = self.constant[k]
        for i, k in enumerate(entries):
            value = held[i]
            if self.rows.shape[1] > len(entries):
                value = value + s * held[len(entries) + i]  # (2)
            out[k // columns, k % columns] = value
        return out
