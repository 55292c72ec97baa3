"""Error against time: every integrator over a ladder of steps on one run of a machine, see scenes.py.

The error of a run is its difference from a converged one, see accuracy.py. The recommended step comes from step
doubling, without a reference:

    e(h) = RMS(x(h) - x(h/2)),   the largest h of the ladder with e <= tolerance there and at every smaller h   (1)
"""

from __future__ import annotations

import math
from collections.abc import Callable

from gerotor.bench.accuracy import AGREED, RIVAL, RIVAL_STEP, Array, Point, add_comparison, add_points, converged, rms, track
from gerotor.bench.base import Result, Say
from gerotor.bench.scenes import bench_scene
from gerotor.errors import ParameterError
from gerotor.integrators import DEFAULT, INTEGRATORS
from gerotor.simulation.report import Figure, TableRows
from gerotor.simulation.simulation import Simulation
from gerotor.studies.kaeri import SAMPLE, Scene

LADDER = (5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2)
REFERENCE = 1e-5  # s


def work_precision(
    machine: str, say: Say = print, *, duration: float | None = None, ladder: tuple[float, ...] = LADDER, repeats: int = 3,
    methods: tuple[str, ...] = tuple(INTEGRATORS), reference: float = REFERENCE,
) -> Result:
    """On a reference machine by name or a user's own by file, for `duration` seconds."""
    (scene, what), result = bench_scene(machine, duration), Result()
    say(f"reference at {reference * 1e3:g} ms")
    exact, by = converged(scene, reference)
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
        add_points(result, name, curves[name])
        ran = [p for p in curves[name] if math.isfinite(p.error)]
        figure.add([1 / p.factor for p in ran], [p.error for p in ran], name, mode="lines+markers")
    shown = [p.error for curve in curves.values() for p in curve if 0 < p.error < math.inf]
    if shown:
        figure.add([1.0, 1.0], [min(shown), max(shown)], "real-time limit", dash="dash")
    result.figures.append(figure)
    result.notes.append(
        f"{what} on {scene.machine.name}, {scene.duration:g} s, commands every {SAMPLE * 1e3:g} ms; "
        f"error against {by} at {reference * 1e3:g} ms; time on one core"
    )
    _conclude(result, curves)
    result.tables += [
        _table("RMS joint error [rad or m]", curves, lambda p: f"{p.error:.1e}"),
        _table("Times real time", curves, lambda p: f"{p.factor:,.3g}" if p.factor < 1000 else f"{p.factor:,.0f}"),
    ]
    return result


def _table(title: str, curves: dict[str, list[Point]], show: Callable[[Point], str]) -> TableRows:
    """Methods down, steps across; a dash where the run diverged."""
    heads = ["method", *(p.title for p in next(iter(curves.values()), []))]
    rows = [[name, *(show(p) if math.isfinite(p.error) else "-" for p in curve)] for name, curve in curves.items()]
    return TableRows(title, heads, rows)


def _curve(scene: Scene, simulation: Simulation, ladder: tuple[float, ...], exact: Array, repeats: int) -> list[Point]:
    runs = {step: track(scene, simulation, step, repeats) for step in ladder}
    halves = {step: runs[step / 2] if step / 2 in runs else track(scene, simulation, step / 2) for step in ladder}
    out = []
    for step, run in runs.items():
        half = halves[step]
        if run is None:
            out.append(Point(step, math.inf, math.nan, math.inf))
        else:
            change = math.inf if half is None else rms(run[0] - half[0])  # (1)
            out.append(Point(step, rms(run[0] - exact), run[1], change))
    return out


def recommended(curve: list[Point], tolerance: float = AGREED) -> float | None:
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
    if default:
        lost = [p.title for p in default if not math.isfinite(p.error)]
        result.notes.append(f"{DEFAULT}: " + (f"diverged at {', '.join(lost)}" if lost else "ran at every step of the ladder"))
        step = recommended(default)
        result.notes.append(
            f"recommended: {DEFAULT} at {step * 1e3:g} ms (half the step changes the joints by at most {AGREED:g})" if step
            else f"{DEFAULT}: no step of the ladder has converged to {AGREED:g}; try smaller ones"
        )
    settled = {name: p for name, curve in curves.items() for p in curve if p.step == recommended(curve)}
    if settled:
        name = max(settled, key=lambda n: settled[n].factor)
        p = settled[name]
        result.notes.append(f"fastest at a step so found: {name} at {p.title}, {p.factor:,.0f}x real time, error {p.error:.2g}")
    rival = next((p for p in curves.get(RIVAL, []) if p.step == RIVAL_STEP), None)
    if rival and default:
        add_comparison(result, DEFAULT, default, rival)
