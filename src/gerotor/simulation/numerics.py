"""The numerics ledger of a run: what its steps cost, how wrong they were by their own estimate, what would be right."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gerotor.codegen.world import CALLS, World

SHOWN = 3  # signals with the largest errors
PARTS = (2, 4, 10, 20, 40)  # of the step, tried for an advice
PATIENCE = 20.0  # s of computing for an advice


@dataclass(frozen=True)
class Numerics:
    """Counts and errors of the steps taken so far in a world.

    An error is the method's own estimate for one step; one above the allowed error is repeated in
    smaller parts, and a step is failed where even these were not enough.
    """

    steps: int
    repeated: int
    failed: int
    first_failed: float | None  # s
    calls: int  # evaluations of the method
    calls_most: int  # in one step
    errors: tuple[tuple[str, float, float, str], ...]  # signal, largest accepted error, allowed, unit

    @staticmethod
    def of(world: World) -> Numerics:
        c, states = world.c, world.program.ode.states
        worst = np.argsort(-world.error, kind="stable")[:SHOWN]
        errors = tuple(
            (states.entries[k].name, float(world.error[k] / world.weight[k]), float(1 / world.weight[k]), states.entries[k].unit)
            for k in map(int, worst) if world.error[k] > 0
        )
        first = float(c.error_time) if c.failed else None
        return Numerics(int(c.k), int(c.repeated), int(c.failed), first, int(c.calls), int(c.calls_most), errors)

    def facts(self) -> dict[str, Any]:
        """For a recording."""
        return {
            "steps": self.steps, "steps repeated": self.repeated, "steps failed": self.failed,
            "first failed at": self.first_failed,
            "evaluations a step": self.calls / max(1, self.steps), "most in one step": self.calls_most, "most allowed": CALLS + 1,
            "largest errors of a step": [f"{n}: {e:.3g} {u} (allowed {a:.3g})" for n, e, a, u in self.errors],
        }

    @property
    def warning(self) -> str:
        """One line where steps failed, else empty."""
        if not self.failed:
            return ""
        name, error, allowed, unit = self.errors[0]
        return (
            f"{self.failed} of {self.steps} steps may be wrong, the first at {self.first_failed:.6g} s: "
            f"error of {name} up to {error:.3g} {unit} in a step, allowed {allowed:.3g} {unit}"
        )


def advice(again: Callable[[float, float], World | None], step: float, until: float, method: str) -> str:
    """Which step would have been right, found by trying: `again(step, until)` runs once more and returns its world,
    or None where the step does not fit the loop's periods."""
    began, tried, same = time.perf_counter(), [], ""
    for part in PARTS:
        if time.perf_counter() - began > PATIENCE:
            break
        world = again(step / part, until)
        if world is None:
            continue
        tried.append(f"{step / part * 1e3:g}")
        if world.c.bad < 0 and not world.c.failed:
            return f"{method} at {step / part * 1e3:g} ms runs through there without a failed step"
        if world.c.bad >= 0:
            same = world.program.ode.states.entries[world.c.bad].name
    if not tried:
        return "no smaller step that fits the loop's periods was tried in time"
    if same:
        return f"not a matter of the step: {same} leaves its range at {', '.join(tried)} ms too; check command and machine"
    return f"steps of {', '.join(tried)} ms fail there too"
