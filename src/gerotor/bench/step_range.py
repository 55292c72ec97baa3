"""The default method at every step from 0.05 to 10 ms, and its speed over HHT-alpha at an error no larger.

A step must divide the control period of 10 ms, so there are 200 of them:

    h = 10 ms / n,   n = 1 ... 200                                                        (1)

Each runs the first seconds of the scene; a ladder of them runs all of it, beside HHT-alpha at 0.2 ms. A run has
diverged that stops early or whose error (see accuracy.py) is above `WRONG`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gerotor.bench.accuracy import RIVAL, RIVAL_STEP, Point, add_comparison, add_points, converged, point
from gerotor.bench.base import Result, Say
from gerotor.bench.scenes import bench_scene
from gerotor.bench.work_precision import LADDER
from gerotor.integrators import DEFAULT
from gerotor.studies.kaeri import SAMPLE

SETS = ("kaeri-arm", "kaeri-arm-n")  # the arm without and with rotor inertia
PARTS = tuple(range(1, 201))
WRONG = 1e-3  # rad or m
REFERENCE = 2e-5  # s


def step_range(
    machines: Sequence[str] = SETS, say: Say = print, *, duration: float = 60.0, part: float = 6.0,
    parts: Sequence[int] = PARTS, ladder: Sequence[float] = LADDER, repeats: int = 3, reference: float = REFERENCE,
) -> Result:
    """Every step of (1) for `part` seconds and the ladder for `duration` seconds, on each machine."""
    result = Result()
    for machine in machines:
        scene, what = bench_scene(machine, duration)
        say(f"{machine}: reference at {reference * 1e3:g} ms")
        exact, by = converged(scene, reference)
        result.notes.append(f"{machine}: {what}, {duration:g} s; error against {by} at {reference * 1e3:g} ms; time on one core")
        ours, theirs = scene.simulation(DEFAULT), scene.simulation(RIVAL)
        short, tried = replace(scene, duration=part), []
        for n in parts:
            say(f"{machine}: {SAMPLE / n * 1e3:.4g} ms")
            tried.append(point(short, ours, SAMPLE / n, exact[: round(part / SAMPLE) + 1]))  # (1)
        _add_tried(result, f"{machine} {DEFAULT}", tried, part)
        say(f"{machine}: speed")
        cases = [(theirs, RIVAL_STEP), *((ours, step) for step in ladder)]
        rounds = [[point(scene, s, step, exact) for s, step in cases] for _ in range(repeats)]  # interleaved
        rival, *points = (max(same, key=lambda p: p.factor) for same in zip(*rounds, strict=True))
        add_points(result, f"{machine} {RIVAL}", [rival])
        add_points(result, f"{machine} {DEFAULT}", points)
        add_comparison(result, f"{machine} {DEFAULT}", points, rival)
    return result


def _add_tried(result: Result, system: str, points: Sequence[Point], seconds: float) -> None:
    lost = [p.title for p in points if not p.error <= WRONG]
    result.add(system, f"steps tried, {points[-1].title} to {points[0].title}, {seconds:g} s each", len(points), "1")
    result.add(system, "of these diverged", len(lost), "1")
    result.add(system, "largest error of these", max(p.error for p in points), "rad")
    result.notes.append(f"{system}: " + (f"diverged at {', '.join(lost)}" if lost else "ran at every step tried"))
