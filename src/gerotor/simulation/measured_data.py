"""Measured data from Parquet or CSV: columns with units, checked, on an even time grid, missing samples as NaN."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from os.path import isfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gerotor.errors import InputError, unknown
from gerotor.simulation.recording import Recording
from gerotor.units import quantity

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class MeasuredData:
    """Time in s, even, and columns by name with their units; NaN where nothing was measured."""

    path: Path
    time: Array
    columns: dict[str, tuple[str, Array]]

    @property
    def period(self) -> float:
        return float(self.time[1] - self.time[0])

    def column(self, name: str, unit: str) -> Array:
        """A column in `unit`."""
        if name not in self.columns:
            raise InputError(f"{self.path}: {unknown('column', name, list(self.columns))}")
        given, values = self.columns[name]
        if given == unit:
            return values
        factor = quantity(f"1 {given}" if given != "1" else 1, unit, f"{self.path}: unit of column {name}")
        return np.asarray(values * factor)


def read_data(path: str | Path, largest_gap: float = 0.1) -> MeasuredData:
    """Read and check; rows left out for at most `largest_gap` seconds are filled with NaN."""
    path = Path(path)
    if not isfile(path):
        raise InputError(f"{path}: no such file")
    names, units, values = READERS.get(path.suffix, _parquet)(path)
    if not names or names[0] not in ("time", "t"):
        raise InputError(f"{path}: the first column must be time in s, got {names[0][:40] if names else 'nothing'!r}")
    twice = sorted({n for n in names if names.count(n) > 1})
    if twice:
        raise InputError(f"{path}: column {', '.join(map(repr, twice))} is given twice: name each once")
    if len(values) < 2:
        raise InputError(f"{path}: {len(values)} rows: at least two samples are needed")
    time = values[:, 0] * (1.0 if units[0] == "s" else quantity(f"1 {units[0]}", "s", f"{path}: unit of column {names[0]}"))
    place = _places(path, time, largest_gap)
    if not np.isfinite(values[~np.isnan(values)]).all():
        raise InputError(f"{path}: a value is infinite; leave the cell empty where nothing was measured")
    table = np.full((place[-1] + 1, len(names) - 1), np.nan)
    table[place] = values[:, 1:]
    grid = time[0] + (time[-1] - time[0]) / place[-1] * np.arange(len(table))
    return MeasuredData(path, grid, {n: (u, table[:, k]) for k, (n, u) in enumerate(zip(names[1:], units[1:], strict=True))})


def _csv(path: Path) -> tuple[list[str], list[str], Array]:
    """Header `name [unit]`; an empty cell or nan is a missing sample."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = list(csv.reader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: cannot be read ({str(error).splitlines()[0]})") from None
    if not rows:
        raise InputError(f"{path}: empty file")
    heads = [_head(h) for h in rows[0]]
    values = []
    for k, row in enumerate(rows[1:], 2):
        if len(row) != len(heads):
            raise InputError(f"{path}: line {k} has {len(row)} cells, the header {len(heads)}")
        try:
            values.append([float(cell) if cell.strip() else np.nan for cell in row])
        except ValueError as error:
            raise InputError(f"{path}: line {k}: {error}") from None
    return [n for n, _ in heads], [u for _, u in heads], np.array(values).reshape(-1, len(heads))


def _head(text: str) -> tuple[str, str]:
    """`name [unit]`; without a unit time is in s, all else a plain number."""
    name, *unit = text.strip().rsplit(" [", 1)
    return name, unit[0].rstrip("]") if unit else "s" if name in ("time", "t") else "1"


def _parquet(path: Path) -> tuple[list[str], list[str], Array]:
    """A recording, with units in its fields, or a table with columns `name [unit]`."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path)
        columns = [table.column(k).to_numpy().astype(float) for k in range(table.num_columns)]
    except (ValueError, TypeError, OSError, pa.ArrowException) as error:
        raise InputError(f"{path}: cannot be read as Parquet ({str(error).splitlines()[0][:100]})") from None
    heads = [_head(f.name) for f in table.schema]
    units = [(f.metadata or {}).get(b"unit", u.encode()).decode() for f, (_, u) in zip(table.schema, heads, strict=True)]
    return [n for n, _ in heads], units, np.column_stack(columns) if columns else np.empty((0, 0))


def _arrows(path: Path) -> tuple[list[str], list[str], Array]:
    """What a paced run streamed."""
    recording = Recording.load(path)
    return ["time", *recording.names], ["s", *recording.units], recording.values


READERS = {".csv": _csv, ".arrows": _arrows}


def _places(path: Path, time: Array, largest_gap: float) -> NDArray[np.int64]:
    """The sample of an even grid that each row belongs to."""
    if not np.isfinite(time).all():
        raise InputError(f"{path}: row {int(np.argmin(np.isfinite(time))) + 1}: time is not a number")
    steps = np.diff(time)
    if (steps <= 0).any():
        k = int(np.argmax(steps <= 0))
        raise InputError(f"{path}: time does not grow at row {k + 2}: {time[k]:.9g} s is followed by {time[k + 1]:.9g} s")
    period = float(np.median(steps))
    place: NDArray[np.int64] = np.round((time - time[0]) / period).astype(np.int64)
    off = np.abs(time - time[0] - place * period)
    if off.max() > 0.2 * period:
        k = int(np.argmax(off))
        raise InputError(f"{path}: row {k + 1} at {time[k]:.9g} s is not on the even grid of {period:.6g} s: resample the data")
    if steps.max() > largest_gap + 0.5 * period:
        k = int(np.argmax(steps))
        raise InputError(f"{path}: gap of {steps[k]:.6g} s after {time[k]:.6g} s, above {largest_gap:g} s: cut the data there")
    if (np.diff(place) == 0).any():
        k = int(np.argmax(np.diff(place) == 0))
        raise InputError(f"{path}: rows {k + 1} and {k + 2} belong to the same sample at {time[k]:.9g} s")
    return place
