"""What a study is: one published experiment, run here, with a verdict claim by claim."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from gerotor.simulation.recording import Recording
from gerotor.simulation.report import Figure, TableRows

Verdict = Literal["holds", "differs", "hardware"]
Progress = Callable[[float, float], None]


@dataclass(frozen=True)
class Claim:
    """A source's statement beside ours.

    `hardware`: needs the authors' machine or data. `reproducible` claims count for the exit code:
    one that differs is a failure. `why` says what stands behind a difference.
    """

    id: str
    statement: str
    published: float | str | None
    ours: float | str | None
    unit: str
    verdict: Verdict
    reproducible: bool = True
    why: str = ""

    @property
    def failed(self) -> bool:
        return self.reproducible and self.verdict == "differs"


def judge(condition: bool) -> Verdict:
    """holds or differs."""
    return "holds" if condition else "differs"


@dataclass
class Result:
    """What a study hands over: the main run's facts, claims, figures, tables, recordings."""

    machine: str
    integrator: str
    step: float
    simulated: float
    wall: float
    claims: list[Claim]
    figures: list[Figure] = field(default_factory=list)
    tables: list[TableRows] = field(default_factory=list)
    recordings: dict[str, Recording] = field(default_factory=dict)

    def __post_init__(self) -> None:
        ids = [c.id for c in self.claims]
        if len(set(ids)) != len(ids):
            raise ValueError(f"claims need ids of their own: {sorted({i for i in ids if ids.count(i) > 1})}")

    @property
    def real_time_factor(self) -> float:
        return self.simulated / self.wall if self.wall > 0 else float("inf")

    def as_json(self, name: str) -> dict[str, Any]:
        """The machine-readable result."""
        keys = ("id", "statement", "published", "ours", "unit", "verdict")
        return {
            "name": name, "machine": self.machine, "integrator": self.integrator, "step": self.step,
            "simulated": self.simulated, "wall": self.wall, "real_time_factor": self.real_time_factor,
            "claims": [{k: getattr(c, k) for k in keys} for c in self.claims],
        }


class Watch:
    """How a study tells what it is doing; the command line shows it as progress bars."""

    def stage(self, title: str, simulated: float) -> Progress:
        """Announce a run of `simulated` seconds; call the answer with (simulated, wall) as it goes on."""
        return lambda simulated, wall: None


@dataclass(frozen=True)
class Study:
    """A published experiment."""

    name: str
    title: str
    source: str
    run: Callable[[Watch], Result]
