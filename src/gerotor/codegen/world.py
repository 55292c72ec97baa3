"""The running data of a loop: everything that changes, in one C structure."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from gerotor.codegen.program import Program
from gerotor.errors import InputError

Array = NDArray[np.float64]
_P = ctypes.c_void_p
_I = ctypes.c_longlong


class CWorld(ctypes.Structure):
    """Mirrors `World` of world.h."""

    _fields_ = [
        ("x", _P), ("m", _P), ("w", _P), ("d", _P), ("p", _P), ("lower", _P), ("upper", _P), ("table", _P),
        ("table_every", _P), ("table_rows", _P), ("part_every", _P), ("t0", ctypes.c_double), ("h", ctypes.c_double),
        ("k", _I), ("record_every", _I), ("record_count", _I), ("record_index", _P), ("record", _P),
        ("rows", _I), ("rows_max", _I), ("bad", _I), ("sampled", _I), ("safe", _P),
        ("weight", _P), ("error", _P), ("error_time", ctypes.c_double), ("repeated", _I), ("calls", _I), ("calls_most", _I),
        ("failed", _I), ("failed_row", _I), ("failed_most", _I),
    ]

PARTS = 256  # a step is divided into at most so many parts, a power of two
CALLS = 96  # evaluations of the method a step at most, one more for what is left
IN_A_ROW = 20  # failed steps that end a run

MOST = 1e12  # steps in a period


def multiple(period: float, step: float, what: str) -> int:
    """How many steps fit into a period; it must be a whole number."""
    if not (np.isfinite(period) and period > 0):
        raise InputError(f"{what} = {period:g} s: must be above 0")
    if period / step > MOST:
        raise InputError(f"{what} of {period:g} s is {period / step:.3g} steps of {step:g} s: at most {MOST:g}")
    count = round(period / step)
    if count < 1 or abs(count * step - period) > 1e-9 * period:
        raise InputError(f"{what} of {period:g} s is not a multiple of the step {step:g} s: choose a step that divides it")
    return count


class World:
    """NumPy arrays and the C structure that points to them."""

    def __init__(self, program: Program, step: float, *, start: Mapping[str, float] | None = None,
                 parameters: Mapping[str, float] | None = None, held: Mapping[str, float] | None = None, t0: float = 0.0,
                 tables: Mapping[str, Array] | None = None) -> None:
        if not (np.isfinite(step) and step > 0):
            raise InputError(f"step = {step} s: must be above 0")
        states = program.ode.states
        self.program = program
        self.x, self.p = states.pack(start), program.ode.parameters.pack(parameters)
        self.w, self.d = program.held.pack(held), program.discrete.array("start")
        self.m = np.zeros(program.memory)
        self.lower, self.upper = states.array("lower"), states.array("upper")
        self.lower[np.isneginf(self.lower)], self.upper[np.isposinf(self.upper)] = -1e300, 1e300
        self.part_every = np.array([multiple(q.period, step, f"period of {q.name}") for q in program.parts], dtype=np.int64)
        self.table_every = np.array([multiple(q.period, step, f"period of {q.name}") for q in program.tables], dtype=np.int64)
        self.rows = [np.ascontiguousarray((tables or {}).get(q.name, q.rows), dtype=float) for q in program.tables]
        self.table_rows = np.array([len(rows) for rows in self.rows], dtype=np.int64)
        self.table = np.array([rows.ctypes.data for rows in self.rows], dtype=np.uint64)
        self.weight, self.error = 1 / states.array("allowed"), np.zeros(len(states))
        self.record_index = np.zeros(0, dtype=np.int64)
        self.record: Array = np.zeros((0, 1))
        self.safe: Array | None = None
        self.c = CWorld(t0=t0, h=step, k=0, bad=-1, sampled=-1, failed_most=IN_A_ROW)
        for name in ("x", "m", "w", "d", "p", "lower", "upper", "table", "table_every", "table_rows", "part_every",
                     "weight", "error"):
            setattr(self.c, name, getattr(self, name).ctypes.data)

    @property
    def time(self) -> float:
        return float(self.c.t0 + self.c.k * self.c.h)

    def force(self, safe: Array | None) -> None:
        """Force held signals to `safe` (NaN leaves one alone) whatever the sampled parts set; None ends it."""
        self.safe = None if safe is None else np.ascontiguousarray(safe, dtype=float)
        self.c.safe = None if self.safe is None else self.safe.ctypes.data

    def record_to(self, index: NDArray[np.int64], every: int, rows: int) -> None:
        """Record the signals at `index` (into x, then w, then outputs) every `every` steps, at most `rows`."""
        self.record_index = np.ascontiguousarray(index, dtype=np.int64)
        self.record = np.empty((rows, len(index) + 1))
        self.c.record_index, self.c.record = self.record_index.ctypes.data, self.record.ctypes.data
        self.c.record_every, self.c.record_count = every, len(index)
        self.c.rows, self.c.rows_max = 0, rows

    def recorded(self) -> Array:
        """A copy of the rows recorded so far; the record is emptied."""
        rows = self.record[: self.c.rows].copy()
        self.c.rows = 0
        return rows
