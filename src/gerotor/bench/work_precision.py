"""Error against time: every integrator over a ladder of steps on one run of a machine, see scenes.py.

The error of a run is the root mean square over all joints and control samples of the difference from a converged
run (RK4 at `REFERENCE`, or the default method where the two disagree), in rad and m alike. The recommended step comes
from step doubling, without a reference:

    e(h) = RMS(x(h) - x(h/2)),   the largest h of the ladder with e <= tolerance there and at every smaller h   (1)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gerotor.bench.base import Result, Say
from gerotor.bench.scenes import bench_scene
from gerotor.errors import ParameterError, StepError
from gerotor.integrators import DEFAULT, INTEGRATORS
from gerotor.simulation.report import Figure
from gerotor.simulation.simulation import Simulation
from gerotor.studies.kaeri import SAMPLE, Scene

LADDER = (5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2)
REFERENCE = 1e-5  # s
TOLERANCE = 1e-5  # rad or m: a hundredth of a millimetre at a metre's reach
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Point:
    """One run; error is infinite where it diverged, change (1) where it or the run at half the step did."""

    step: float
    error: float
    factor: float
    change: float


def work_precision(
    machine: str, say: Say = print, *, duration: float | None = None, ladder: tuple[float, ...] = LADDER, repeats: int = 3,
    methods: tuple[str, ...] = tuple(INTEGRATORS), reference: float = REFERENCE,
) -> Result:
    """On a reference machine by name or a user's own by file, for `duration` seconds."""
    (scene, what), result = bench_scene(machine, duration), Result()
    say(f"reference at {reference * 1e3:g} ms")
    exact, by = _reference(scene, reference)
    figure = Figure(
        f"Work and precision on {scene.machine.name}", x="wall time a simulated second [s]", y="RMS joint error [rad or m]",
        log_x=True, log_y=True,
        caption="Left of the dashed line is faster than real time. A method ends where it diverges.",
    )
    curves: dict[str, list[Point]] = {}
    for name in methods:
        say(f"{name}")
        try:
            simulation = scene.simulation(name)
        except ParameterError as error:
            result.notes.append(f"left out: {error}")
            continue
        curves[name] = _curve(scene, simulation, ladder, exact, repeats)
        for p in curves[name]:
            result.add(name, f"error at {p.step * 1e3:g} ms", p.error, "rad")
            result.add(name, f"real-time factor at {p.step * 1e3:g} ms", p.factor, "1")
        ran = [p for p in curves[name] if math.isfinite(p.error)]
        figure.add([1 / p.factor for p in ran], [p.error for p in ran], name, mode="lines+markers")
    shown = [p.error for curve in curves.values() for p in curve if 0 < p.error < math.inf]
    if shown:
        figure.add([1.0, 1.0], [min(shown), max(shown)], "real-time limit", dash="dash")
    result.figures.append(figure)
    result.notes.append(
        f"{what} on {scene.machine.name}, {scene.duration:g} s, commands every {SAMPLE * 1e3:g} ms; "
        f"error against {by} at {reference * 1e3:g} ms"
    )
    _conclude(result, curves)
    return result


def _reference(scene: Scene, step: float) -> tuple[Array, str]:
    """The converged joints and the method that found them; an explicit method can be stable in bounds and wrong."""
    explicit, implicit = (_track(scene, scene.simulation(m), step) for m in ("rk4", DEFAULT))
    if implicit is None:
        raise StepError(f"{scene.machine.name}: the reference run diverged at {step:g} s; this motion has no bounded answer")
    if explicit is not None and rms(explicit[0] - implicit[0]) <= TOLERANCE:
        return explicit[0], "rk4"
    return implicit[0], DEFAULT


def _curve(scene: Scene, simulation: Simulation, ladder: tuple[float, ...], exact: Array, repeats: int) -> list[Point]:
    runs = {step: _track(scene, simulation, step, repeats) for step in ladder}
    halves = {step: runs[step / 2] if step / 2 in runs else _track(scene, simulation, step / 2) for step in ladder}
    out = []
    for step, run in runs.items():
        half = halves[step]
        if run is None:
            out.append(Point(step, math.inf, math.nan, math.inf))
        else:
            change = math.inf if half is None else rms(run[0] - half[0])  # (1)
            out.append(Point(step, rms(run[0] - exact), run[1], change))
    return out


def _track(scene: Scene, simulation: Simulation, step: float, repeats: int = 1) -> tuple[Array, float] | None:
    """The joints at control samples and the best real-time factor; None where the run diverges."""
    joints = [n for n in scene.ode.states.names if n.startswith("arm.q.")]
    try:
        runs = [
            simulation.run(scene.duration, step, start=scene.start, record=joints, record_period=SAMPLE) for _ in range(repeats)
        ]
    except StepError:
        return None
    return runs[0].values[:, 1:], max(r.facts["real_time_factor"] for r in runs)


def rms(values: Array) -> float:
    return float(np.sqrt(np.mean(np.square(values))))


def recommended(curve: list[Point], tolerance: float = TOLERANCE) -> float | None:
    """The step by (1); None where even the smallest changes by more."""
    best = None
    for point in curve:
        if point.change > tolerance:
            break
        best = point.step
    return best


def _conclude(result: Result, curves: dict[str, list[Point]]) -> None:
    for name, curve in curves.items():
        step = recommended(curve)
        if step is not None:
            result.add(name, "recommended step", step * 1e3, "ms")
    default = curves.get(DEFAULT, [])
    lost = [f"{p.step * 1e3:g}" for p in default if not math.isfinite(p.error)]
    if default:
        result.notes.append(f"{DEFAULT}: " + (f"diverged at {', '.join(lost)} ms" if lost else "ran at every step of the ladder"))
        step = recommended(default)
        result.notes.append(
            f"recommended: {DEFAULT} at {step * 1e3:g} ms (half the step changes the joints by at most {TOLERANCE:g})" if step
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
