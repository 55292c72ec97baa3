"""Right, refused or wrong: random operator runs at many steps against a converged reference.

The levers of a live scenario jump at random, each on its own, to rest, anywhere or to an end, and stay there
for 0.2 to 1.2 s. A run is right that stays within `PRESSURE` and `POSITION` of the reference, refused where it
stopped or told of failed steps, wrong otherwise. The reference is sdirk2 (Newton) at `FINEST` with a twentieth of
the allowed errors; a run whose two finest solutions, by two methods, are apart by more than a fifth of
the limits has no reference and is counted as unsettled.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gerotor.bench.base import Say
from gerotor.codegen.kernel import DONE
from gerotor.codegen.world import World
from gerotor.core.layout import Layout
from gerotor.core.table import Table
from gerotor.errors import InputError
from gerotor.integrators import DEFAULT
from gerotor.realtime.stage import Lever, Stage
from gerotor.realtime.stages import scenarios
from gerotor.simulation.simulation import Simulation

Array = NDArray[np.float64]
PRESSURE, POSITION = 10e5, 0.01  # Pa; rad or m
STEPS = (5e-5, 1e-4, 2e-4, 2.5e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2)  # s; those that do not divide a loop's periods are left out
FINEST, SHARPER = 5e-5, 20.0
REFERENCES = ("sdirk2", DEFAULT)
HOLD, GRID = 0.1, 0.01  # s: levers change at multiples of the one, runs are compared at those of the other
KINDS = ("operate", "valves")


@dataclass
class Row:
    """One machine, scenario, method and step."""

    machine: str
    scenario: str
    method: str
    step: float
    runs: int = 0
    right: int = 0
    refused: int = 0
    wrong: int = 0
    unsettled: int = 0
    pressure: float = 0.0  # Pa, largest difference of a right run
    position: float = 0.0  # rad or m
    repeated: float = 0.0  # share of steps


@dataclass
class Verified:
    """`seeds`: what to give to `--seed` with `--runs 1` to see a failure again."""

    rows: list[Row] = field(default_factory=list)
    seeds: list[dict[str, Any]] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        return {"rows": [asdict(r) for r in self.rows], "seeds": self.seeds}

    @property
    def wrong(self) -> int:
        return sum(r.wrong for r in self.rows)


class Course:
    """The runs of one scenario: a simulation a method, levers by seed."""

    def __init__(self, stage: Stage, duration: float) -> None:
        self.stage, self.duration = stage, duration
        self.made: dict[str, Simulation] = {}
        first = stage.build(DEFAULT)
        self.levers: tuple[Lever, ...] = stage.levers
        entries = [first.ode.inputs.entries[first.ode.inputs.index(lever.input)] for lever in self.levers]
        self.table = Table("levers", HOLD, np.zeros((1, len(entries))), Layout(tuple(entries)))
        self.first = first
        self.inputs = {"operator.mode": 1.0} if "operator.mode" in first.program.outside else {}
        states = first.ode.states
        self.pressures = [k for k, e in enumerate(states) if e.unit == "Pa"]
        self.positions = [i for block in first.ode.blocks for i in block.q]

    def simulation(self, method: str) -> Simulation:
        if method not in self.made:
            parts, ode = self.first.program.parts, self.first.ode
            self.made[method] = Simulation(ode, parts, [*self.first.program.tables, self.table], method)
        return self.made[method]

    def rows(self, seed: int) -> Array:
        """Levers by time."""
        random = np.random.default_rng(seed)
        count = round(self.duration / HOLD) + 1
        out = np.zeros((count, len(self.levers)))
        for j, lever in enumerate(self.levers):
            k = 0
            while k < count:
                span, kind, u = int(random.integers(2, 13)), random.random(), random.random()
                ends = (lever.lower, lever.upper)
                value = lever.neutral if kind < 0.3 else ends[int(u < 0.5)] if kind > 0.8 else ends[0] + u * (ends[1] - ends[0])
                out[k : k + span, j] = value
                k += span
        return out

    def run(self, method: str, step: float, seed: int, sharper: float = 1.0) -> tuple[Array, int, World]:
        """States every `GRID`, how it ended, its world."""
        simulation = self.simulation(method)
        world = simulation.world(step, start=self.stage.start, inputs=self.inputs, tables={"levers": self.rows(seed)})
        world.weight *= sharper
        count, every = round(self.duration / step), round(GRID / step)
        world.record_to(np.arange(len(simulation.ode.states)), every, count // every + 2)
        status = simulation.kernel.run(world, count)
        return world.recorded()[:, 1:], status, world

    def apart(self, a: Array, b: Array) -> tuple[float, float]:
        """Largest difference of pressures and of positions."""
        n = min(len(a), len(b))
        gap = np.abs(a[:n] - b[:n]).max(axis=0)
        return float(gap[self.pressures].max(initial=0.0)), float(gap[self.positions].max(initial=0.0))

    def reference(self, seed: int) -> Array | None:
        """The converged states; None where two methods do not agree on them."""
        (a, first, _), (b, second, _) = (self.run(method, FINEST, seed, SHARPER) for method in REFERENCES)
        p, q = self.apart(a, b)
        settled = first == second == DONE and p < PRESSURE / 5 and q < POSITION / 5
        return a if settled else None


def verify(machines: Sequence[str], say: Say = print, *, kinds: Sequence[str] = KINDS, methods: Sequence[str] = (DEFAULT,),
           steps: Sequence[float] = STEPS, runs: int = 20, duration: float = 6.0, seed: int = 0) -> Verified:
    """Every machine that has one of the live scenarios `kinds`."""
    out = Verified()
    for machine in machines:
        known = scenarios(machine)
        for kind in kinds:
            if kind not in known:
                continue
            say(f"{machine} {kind}: building")
            course = Course(known[kind](), duration)
            rows = [row for method in methods for row in _fitting(course, machine, kind, method, steps)]
            for method in {*methods, *REFERENCES}:
                course.simulation(method)
            with ThreadPoolExecutor() as pool:
                for done, found in enumerate(pool.map(lambda s, c=course, r=rows: _tried(c, r, s), range(seed, seed + runs))):  # type: ignore[misc]
                    say(f"{machine} {kind}: {done + 1} of {runs}")
                    _add(out, rows, found, seed + done)
            out.rows += rows
    return out


def _fitting(course: Course, machine: str, kind: str, method: str, steps: Sequence[float]) -> list[Row]:
    """A row for each step that divides the loop's periods."""
    rows = []
    for step in steps:
        try:
            course.simulation(method).world(step, inputs=course.inputs)
        except InputError:
            continue
        rows.append(Row(machine, kind, method, step))
    return rows


Found = tuple[str, float, float, float]  # verdict, gaps, share of repeated steps


def _tried(course: Course, rows: Sequence[Row], seed: int) -> list[Found]:
    exact = course.reference(seed)
    if exact is None:
        return [("unsettled", 0.0, 0.0, 0.0)] * len(rows)
    out = []
    for row in rows:
        states, status, world = course.run(row.method, row.step, seed)
        p, q = course.apart(states, exact)
        told = status != DONE or world.c.failed > 0
        verdict = "refused" if told else "right" if p <= PRESSURE and q <= POSITION else "wrong"
        out.append((verdict, p, q, world.c.repeated / max(1, world.c.k)))
    return out


def _add(out: Verified, rows: Sequence[Row], found: Sequence[Found], seed: int) -> None:
    for row, (verdict, p, q, repeated) in zip(rows, found, strict=True):
        row.repeated = (row.repeated * row.runs + repeated) / (row.runs + 1)
        row.runs += 1
        setattr(row, verdict, getattr(row, verdict) + 1)
        if verdict == "right":
            row.pressure, row.position = max(row.pressure, p), max(row.position, q)
        else:
            out.seeds.append({"machine": row.machine, "scenario": row.scenario, "method": row.method, "step": row.step,
                              "seed": seed, "verdict": verdict, "pressure": p, "position": q})
