"""Names, units, ranges and positions of the elements of a flat vector."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gerotor.core.component import Signal
from gerotor.errors import InputError, WiringError, unknown


@dataclass(frozen=True)
class Entry:
    """One element: its path, unit, declared range, usual size and start value."""

    name: str
    unit: str = "1"
    lower: float = -math.inf
    upper: float = math.inf
    scale: float = 1.0
    start: float = 0.0
    tolerance: float = 0.0

    @property
    def allowed(self) -> float:
        """The error that one step may make in it."""
        return self.tolerance or 0.1 * self.scale


@dataclass(frozen=True)
class Layout:
    """An ordered set of entries; unknown names answer with the known ones."""

    entries: tuple[Entry, ...] = field(default=())

    @staticmethod
    def of(**units: str) -> Layout:
        """Layout.of(q="rad", v="rad/s")."""
        return Layout(tuple(Entry(name, unit) for name, unit in units.items()))

    def __post_init__(self) -> None:
        if len(self._index) != len(self.entries):
            names = [e.name for e in self.entries]
            twice = sorted({n for n in names if names.count(n) > 1})
            raise WiringError(f"duplicate name {', '.join(twice)}: every signal needs its own")

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __contains__(self, name: str) -> bool:
        return name in self._index

    def __add__(self, other: Layout) -> Layout:
        return Layout(self.entries + other.entries)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {e.name: k for k, e in enumerate(self.entries)}

    @property
    def names(self) -> list[str]:
        return [e.name for e in self.entries]

    def index(self, name: str) -> int:
        """Position of `name`."""
        if name not in self._index:
            raise WiringError(unknown("signal", name, self.names))
        return self._index[name]

    def indices(self, names: Iterable[str]) -> list[int]:
        return [self.index(n) for n in names]

    def array(self, key: str) -> NDArray[np.float64]:
        """`lower`, `upper`, `scale`, `start` or `allowed` of every entry."""
        return np.array([getattr(e, key) for e in self.entries], dtype=float)

    def pack(self, values: Mapping[str, float] | None = None) -> NDArray[np.float64]:
        """Start values, overwritten by `values`; each must be a finite number."""
        vector = self.array("start")
        for name, value in (values or {}).items():
            entry = self.entries[self.index(name)]
            if not np.isfinite(value):
                raise InputError(f"{name} = {value} {entry.unit}: must be a finite number")
            vector[self.index(name)] = value
        return vector

    def unpack(self, vector: Any) -> dict[str, float]:
        return {e.name: float(v) for e, v in zip(self.entries, np.asarray(vector).ravel(), strict=True)}


def expand(prefix: str, name: str, signal: Signal) -> list[Entry]:
    """The entries of one signal: `prefix.name`, or `prefix.name.element` for a vector."""

    def each(value: float | tuple[float, ...], k: int) -> float:
        return value[k] if isinstance(value, tuple) else value

    path = f"{prefix}.{name}" if prefix else name
    return [
        Entry(
            name=f"{path}.{signal.names[k]}" if signal.names else path,
            unit=signal.units[k] if signal.units else signal.unit,
            lower=each(signal.lower, k),
            upper=each(signal.upper, k),
            scale=signal.scale,
            start=each(signal.start, k),
            tolerance=signal.tolerance,
        )
        for k in range(signal.size)
    ]
