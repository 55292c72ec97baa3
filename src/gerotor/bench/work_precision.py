"""Error against time: every integrator over a ladder of steps on a closed-loop run.

The error of a run is the root mean square over all joints and control samples of the difference from a converged
run (RK4 at `REFERENCE`), in rad and m alike. The recommended step comes from step doubling, without a reference:

    e(h) = RMS(x(h) - x(h/2)),   the largest h of the ladder with e <= tolerance          (1)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gerotor.bench.base import Result, Say
from gerotor.errors import InputError, StepError
from gerotor.integrators import DEFAULT, INTEGRATORS
from gerotor.machines import load_machine
from gerotor.simulation.report import Figure
from gerotor.studies.kaeri import JOINTS, Scene, circle_scene

LADDER = (5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2)
REFERENCE = 1e-5  # s
TOLERANCE = 1e-5  # rad or m: a hundredth of a millimetre at a metre's reach
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Point:
    """One run; error is infinite where it diverged."""

    step: float
    error: float
    factor: float
    track: Array | None


def work_precision(
    machine: str, say: Say = print, *, duration: float = 6.0, ladder: tuple[float, ...] = LADDER, repeats: int = 3,
    methods: tuple[str, ...] = tuple(INTEGRATORS), reference: float = REFERENCE,
) -> Result:
    """The circle of [kim2021] on `machine` for `duration` seconds."""
    if "circle" not in load_machine(machine).file.controllers:
        raise InputError(f"{machine} has no controller `circle`: work-precision follows a circle (kaeri-arm, kaeri-arm-n)")
    scene, result = circle_scene(machine, duration=duration), Result()
    say(f"reference: rk4 at {reference * 1e3:g} ms")
    exact = scene.run("rk4", reference, record=JOINTS).values[:, 1:]
    figure = Figure(
        f"Work and precision on {machine}", x="wall time a simulated second [s]", y="RMS joint error [rad or m]",
        log_x=True, log_y=True,
        caption="Left of the dashed line is faster than real time. A method ends where it diverges.",
    )
    curves: dict[str, list[Point]] = {}
    for name in methods:
        say(f"{name}")
        curves[name] = _curve(scene, name, ladder, exact, repeats)
        for p in curves[name]:
            result.add(name, f"error at {p.step * 1e3:g} ms", p.error, "rad")
            result.add(name, f"real-time factor at {p.step * 1e3:g} ms", p.factor, "1")
        ran = [p for p in curves[name] if math.isfinite(p.error)]
        figure.add([1 / p.factor for p in ran], [p.error for p in ran], name, mode="lines+markers")
    shown = [p.error for curve in curves.values() for p in curve if 0 < p.error < math.inf]
    if shown:
        figure.add([1.0, 1.0], [min(shown), max(shown)], "real-time limit", dash="dash")
    result.figures.append(figure)
    _conclude(result, curves, machine, duration, reference)
    return result


def _curve(scene: Scene, method: str, ladder: tuple[float, ...], exact: Array, repeats: int) -> list[Point]:
    simulation, out = scene.simulation(method), []
    for step in ladder:
        try:
            runs = [
                simulation.run(scene.duration, step, start=scene.start, record=list(JOINTS), record_period=1e-2)
                for _ in range(repeats)
            ]
        except StepError:
            out.append(Point(step, math.inf, math.nan, None))
            continue
        track = runs[0].values[:, 1:]
        factor = max(r.facts["real_time_factor"] for r in runs)
        out.append(Point(step, rms(track - exact), factor, track))
    return out


def rms(values: Array) -> float:
    return float(np.sqrt(np.mean(np.square(values))))


def recommended(curve: list[Point], tolerance: float = TOLERANCE) -> float | None:
    """The step by (1); None where even the smallest pair differs by more."""
    best = None
    for fine, coarse in pairwise(curve):
        if fine.track is None or coarse.track is None or rms(coarse.track - fine.track) > tolerance:
            break
        best = coarse.step
    return best


def _conclude(result: Result, curves: dict[str, list[Point]], machine: str, duration: float, reference: float) -> None:
    for name, curve in curves.items():
        step = recommended(curve)
        if step is not None:
            result.add(name, "recommended step", step * 1e3, "ms")
    default = curves.get(DEFAULT, [])
    lost = [f"{p.step * 1e3:g}" for p in default if not math.isfinite(p.error)]
    result.notes.append(f"circle on {machine}, {duration:g} s, 100 Hz control; error against rk4 at {reference * 1e3:g} ms")
    if default:
        result.notes.append(f"{DEFAULT}: " + (f"diverged at {', '.join(lost)} ms" if lost else "ran at every step of the ladder"))
        step = recommended(default)
        result.notes.append(
            f"recommended: {DEFAULT} at {step * 1e3:g} ms (neighbours on the ladder differ by at most {TOLERANCE:g})" if step
            else f"{DEFAULT}: no step of the ladder has converged to {TOLERANCE:g}; try smaller ones"
        )
    staggered = next((p for p in curves.get("hht-alpha", []) if p.step == 2e-4 and math.isfinite(p.error)), None)
    rivals = [p for p in default if staggered and p.error <= staggered.error]
    if staggered and rivals:
        best = max(rivals, key=lambda p: p.factor)
        result.add(DEFAULT, "speed over hht-alpha at 0.2 ms, error no larger", best.factor / staggered.factor, "1")
        result.notes.append(
            f"{DEFAULT} at {best.step * 1e3:g} ms: {best.factor / staggered.factor:.1f} times the real-time factor of hht-alpha "
            f"at 0.2 ms, error {best.error:.2g} against {staggered.error:.2g}"
        )
    elif staggered and default:
        result.notes.append(f"{DEFAULT} reaches the error of hht-alpha at 0.2 ms at no step of the ladder")
