"""What a bench hands over: rows of measured numbers, and how they were measured."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gerotor.simulation.report import Figure, TableRows

Say = Callable[[str], None]


@dataclass(frozen=True)
class Row:
    """One measured number: which system, in which case."""

    system: str
    case: str
    value: float
    unit: str


@dataclass
class Result:
    """`notes` say how the numbers were taken and what could not be measured; `tables`, where there are any, show the rows
    in fewer lines."""

    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    tables: list[TableRows] = field(default_factory=list)

    def add(self, system: str, case: str, value: float, unit: str) -> None:
        self.rows.append(Row(system, case, float(value), unit))

    def value(self, system: str, case: str) -> float:
        return next(r.value for r in self.rows if (r.system, r.case) == (system, case))

    def as_json(self, name: str) -> dict[str, Any]:
        """The machine-readable result; a number that is not finite (a run that diverged) is null."""
        rows = [{**vars(r), "value": r.value if abs(r.value) < float("inf") else None} for r in self.rows]
        return {"name": name, "host": host(), "rows": rows}


def host() -> str:
    """Processor, cores, system, Python."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        model = platform.processor() or platform.machine()
    return f"{model}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
