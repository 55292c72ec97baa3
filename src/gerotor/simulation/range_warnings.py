"""Outputs that left the range they were declared with: a run goes on, but its reader should know."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gerotor.core.layout import Layout

Array = NDArray[np.float64]


def range_warnings(outputs: Layout, names: Sequence[str], time: Array, values: Array) -> list[str]:
    """One line for each signal of `names` that was out of range at a recorded time, with its worst value."""
    lines = []
    for name, column in zip(names, values.T, strict=True):
        entry = outputs.entries[outputs.index(name)]
        beyond = np.maximum(entry.lower - column, column - entry.upper)
        if np.any(beyond > 0):
            first, worst = int(np.argmax(beyond > 0)), int(np.argmax(beyond))
            lines.append(
                f"{name} left its range {entry.lower:g} to {entry.upper:g} {entry.unit} at {time[first]:.6g} s; "
                f"worst {column[worst]:.6g} {entry.unit} at {time[worst]:.6g} s"
            )
    return lines
