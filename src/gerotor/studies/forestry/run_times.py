"""How fast the full and the reduced model run at equal accuracy, compiled and interpreted.

Times are processor times of one core, so that other work on the machine does not enter; the best of five runs, the models in
turn. Equal accuracy: the largest step at which the stick's angle is off by at most a hundredth of the difference between the two
models, so that the numerical error of neither hides that difference.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np

from gerotor.studies.base import Watch
from gerotor.studies.forestry.scenes import Array, Scene, crane, rms, stick_sine

STEPS = (1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2)
FINE = 1e-4
REPEATS = 5
SIMULATED = 40.0
INTERPRETED = 2.0  # s simulated on the virtual machine
STICK = "arm.q.stick"


@dataclass(frozen=True)
class Timing:
    """One way to run 40 s: RMS error of the stick's angle, processor time."""

    lines: str
    step: float
    error: float
    seconds: float

    @property
    def real_time_factor(self) -> float:
        return SIMULATED / self.seconds


@dataclass(frozen=True)
class RunTimes:
    """All timings, what counts as equal accuracy, and the times of the source's other ways, for 40 s."""

    timings: list[Timing]
    tolerance: float
    interpreted: dict[str, float]  # lines -> seconds at the step of equal accuracy
    relaxed: float  # seconds of the compiled reduced model with the closed valve's resistance relaxed

    def best(self, lines: str) -> Timing:
        """The largest step within the tolerance."""
        return max((t for t in self.timings if t.lines == lines and t.error <= self.tolerance), key=lambda t: t.step)

    @property
    def ratio(self) -> float:
        """Full over reduced, compiled, equal accuracy."""
        return self.best("full").seconds / self.best("reduced").seconds

    @property
    def ratio_at_largest_step(self) -> float:
        """The same where both take one step a control sample, whatever the error."""
        seconds = {t.lines: t.seconds for t in self.timings if t.step == STEPS[-1]}
        return seconds["full"] / seconds["reduced"]


def measure(watch: Watch) -> RunTimes:
    """Time both models over all steps."""
    scenes = {lines: stick_sine({"": crane(lines)}, SIMULATED, gauged=False) for lines in ("full", "reduced")}
    fine = {k: _angle(s, FINE, "sdirk2", watch, f"{k} model, converged") for k, s in scenes.items()}
    tolerance = 0.01 * rms(fine["full"] - fine["reduced"])
    timings = [
        Timing(lines, step, rms(_angle(scene, step, "extrapolated") - fine[lines]), np.inf)
        for step in STEPS for lines, scene in scenes.items()
    ]
    progress = watch.stage("run times, steps 0.1 to 10 ms", float(REPEATS))
    for k in range(REPEATS):
        timings = [replace(t, seconds=min(t.seconds, seconds(scenes[t.lines], t.step))) for t in timings]
        progress(k + 1.0, 0.0)
    found = RunTimes(timings, tolerance, {}, 0.0)
    interpreted = {
        lines: seconds(scene, found.best(lines).step, INTERPRETED, compiled=False) * SIMULATED / INTERPRETED
        for lines, scene in scenes.items()
    }
    slack = stick_sine({"": crane("reduced", resistance=1e16)}, SIMULATED, gauged=False)
    relaxed = min(seconds(slack, found.best("reduced").step) for _ in range(REPEATS))
    return RunTimes(timings, tolerance, interpreted, relaxed)


def seconds(scene: Scene, step: float, duration: float = SIMULATED, compiled: bool | None = None) -> float:
    """Processor time of one run; building the kernel is not counted."""
    scene.simulation(compiled=compiled)
    began = time.process_time()
    scene.run(step, duration=duration, record=[STICK], compiled=compiled)
    return time.process_time() - began


def _angle(scene: Scene, step: float, method: str, watch: Watch | None = None, title: str = "") -> Array:
    progress = watch.stage(title, SIMULATED) if watch else None
    return np.asarray(scene.run(step, method=method, record=[STICK], progress=progress)[STICK])
