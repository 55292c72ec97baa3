"""Error and speed of one run of a scene against a converged one.

    e = sqrt(mean over joints and control samples of (q - q_converged)^2), in rad and m alike   (1)

A real-time factor here is of the time a run takes on its core: other programs do not lengthen it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gerotor.bench.base import Result
from gerotor.errors import StepError
from gerotor.integrators import DEFAULT
from gerotor.simulation.recording import Recording
from gerotor.simulation.simulation import Simulation
from gerotor.studies.kaeri import SAMPLE, Scene

AGREED = 1e-5  # rad or m: a hundredth of a millimetre at a metre's reach
RIVAL, RIVAL_STEP = "hht-alpha", 2e-4  # the published method at its published step
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Point:
    """One run: error (1), infinite where it diverged; best real-time factor; change when the step is halved."""

    step: float
    error: float
    factor: float
    change: float = math.nan

    @property
    def title(self) -> str:
        return f"{self.step * 1e3:.4g} ms"


def rms(values: Array) -> float:
    return float(np.sqrt(np.mean(np.square(values))))  # (1)


def track(scene: Scene, simulation: Simulation, step: float, repeats: int = 1) -> tuple[Array, float] | None:
    """The joints at control samples and the best real-time factor; None where the run diverges."""
    try:
        runs = [_joints(scene, simulation, step) for _ in range(repeats)]
    except StepError:
        return None
    return runs[0].values[:, 1:], scene.duration / min(r.facts["cpu"] for r in runs)


def _joints(scene: Scene, simulation: Simulation, step: float) -> Recording:
    names = [n for n in scene.ode.states.names if n.startswith("arm.q.")]
    began = time.thread_time()
    made = simulation.run(scene.duration, step, start=scene.start, record=names, record_period=SAMPLE)
    made.facts["cpu"] = max(time.thread_time() - began, 1e-9)
    return made


def point(scene: Scene, simulation: Simulation, step: float, exact: Array) -> Point:
    """A run at one step."""
    run = track(scene, simulation, step)
    return Point(step, math.inf, math.nan) if run is None else Point(step, rms(run[0] - exact), run[1])


def converged(scene: Scene, step: float) -> tuple[Array, str]:
    """The joints of RK4 at a small step, or of the default method where the two disagree, and which it was.

    An explicit method can be stable in bounds and wrong.
    """
    try:
        implicit = _joints(scene, scene.simulation(DEFAULT), step).values[:, 1:]
    except StepError as error:
        raise StepError(f"no reference run at {step:g} s: {error}") from None
    explicit = track(scene, scene.simulation("rk4"), step)
    if explicit is not None and rms(explicit[0] - implicit) <= AGREED:
        return explicit[0], "rk4"
    return implicit, DEFAULT


def add_points(result: Result, system: str, points: Sequence[Point]) -> None:
    """Error and real-time factor of every point as rows."""
    for p in points:
        result.add(system, f"error at {p.title}", p.error, "rad")
        result.add(system, f"real-time factor at {p.title}", p.factor, "1")


def add_comparison(result: Result, system: str, points: Sequence[Point], rival: Point) -> None:
    """The fastest point with an error no larger than the rival's, as a row and a note."""
    name = f"{RIVAL} at {rival.title}"
    no_worse = [p for p in points if p.error <= rival.error < math.inf]
    if not no_worse:
        result.notes.append(f"{system}: no step with an error as small as that of {name} ({rival.error:.2g})")
        return
    best = max(no_worse, key=lambda p: p.factor)
    result.add(system, f"speed over {name}, error no larger", best.factor / rival.factor, "1")
    result.notes.append(
        f"{system} at {best.title}: {best.factor / rival.factor:.1f} times the real-time factor of {name}, "
        f"error {best.error:.2g} against {rival.error:.2g}"
    )
