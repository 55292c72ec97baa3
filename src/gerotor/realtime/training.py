"""Operator training: take up a load, carry it to the next target, drop it, with a score.

    energy = sum over lines of  p_s max(Q, 0) dt          oil drawn from the supply          (1)
    score = 1000 - 2 (time - par)+ - energy / 10 kJ - 10 seconds over a limit, not below 0    (2)

A target counts when the tool has stayed within its radius for `DWELL`. Over a limit: the tool faster than
`speed_limit`, a pressure above `pressure_limit`, a joint in its end stop. Purpose: [papadopoulos2002].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
DWELL = 0.5  # s


@dataclass(frozen=True)
class Target:
    """A sphere to reach; reaching it sets the input `load` to `mass`."""

    name: str
    place: tuple[float, float, float]
    radius: float
    mass: float


@dataclass(frozen=True)
class Course:
    """The targets in order, and which signals tell about them."""

    targets: tuple[Target, ...]
    tool: tuple[str, str, str]
    load: str
    supply: str
    flows: tuple[str, ...]
    pressures: tuple[str, ...]
    stops: tuple[str, ...]
    speed_limit: float
    pressure_limit: float
    par: float

    @property
    def signals(self) -> tuple[str, ...]:
        return (*self.tool, self.supply, *self.flows, *self.pressures, *self.stops)


class Training:
    """Follows the rows of a run; `advance` gives the inputs to set."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self.reset()

    def reset(self) -> None:
        self.reached, self.time, self.energy, self.over = 0, 0.0, 0.0, 0.0
        self._inside: float | None = None
        self._last: Array | None = None

    @property
    def done(self) -> bool:
        return self.reached == len(self.course.targets)

    @property
    def target(self) -> Target | None:
        return None if self.done else self.course.targets[self.reached]

    def advance(self, rows: Any, index: Mapping[str, int]) -> dict[str, float]:
        """Take new rows in; {} or the load that has just been taken up or dropped."""
        orders: dict[str, float] = {}
        for row in rows:
            if self._last is not None and row[0] > self._last[0] and not self.done:
                self._count(row, self._last, index)
                orders |= self._reach(row, index)
            self._last = row
        return orders

    def _count(self, row: Array, last: Array, index: Mapping[str, int]) -> None:
        course, dt = self.course, float(row[0] - last[0])
        self.time += dt
        flow = sum(max(float(row[index[n]]), 0.0) for n in course.flows)
        self.energy += float(row[index[course.supply]]) * flow * dt  # (1)
        tool = [index[n] for n in course.tool]
        fast = float(np.linalg.norm(row[tool] - last[tool])) / dt > course.speed_limit
        pressed = any(row[index[n]] > course.pressure_limit for n in course.pressures)
        stopped = any(abs(row[index[n]]) > 1e3 for n in course.stops)
        self.over += dt if fast or pressed or stopped else 0.0

    def _reach(self, row: Array, index: Mapping[str, int]) -> dict[str, float]:
        target = self.target
        if target is None:
            return {}
        away = float(np.linalg.norm(row[[index[n] for n in self.course.tool]] - np.array(target.place)))
        if away > target.radius:
            self._inside = None
            return {}
        self._inside = float(row[0]) if self._inside is None else self._inside
        if row[0] - self._inside < DWELL:
            return {}
        self.reached, self._inside = self.reached + 1, None
        return {self.course.load: target.mass}

    @property
    def score(self) -> int:
        slow = max(0.0, self.time - self.course.par)
        return max(0, round(1000 - 2 * slow - self.energy / 1e4 - 10 * self.over))  # (2)

    @property
    def lines(self) -> str:
        """One line for the page."""
        where = "all targets reached" if self.target is None else f"next: {self.target.name}"
        return (f"{self.reached} of {len(self.course.targets)}, {where}; {self.time:.0f} s, {self.energy / 1e3:.0f} kJ, "
                f"{self.over:.1f} s over limits; score {self.score}")
