"""Each valve of the hydraulic arm driven by a sine in turn, the others shut.

With a flow proportional to the current, 10 mA sin(pi t) moves a joint by k (1 - cos(pi t)) 10 mA / pi: one-sided, with a
period of 2 s, k the joint's speed per current at no load.
"""

from __future__ import annotations

import math

import numpy as np

from gerotor.simulation.recording import Recording
from gerotor.simulation.report import Figure, TableRows
from gerotor.studies.base import Claim, Result, Study, Watch, judge
from gerotor.studies.kaeri import open_loop_scene

STEP, DURATION, CURRENT = 1e-3, 10.0, 0.01
GRAVITY = ("j3", "j4")
# speed per mA at 70 bar, in deg/s or mm/s: rated flow over displacement and reduction; at 140 bar sqrt(2) times that
NO_LOAD = {"j1": 1.289, "j2": 2.083, "j3": 1.289, "j4": 1.289, "j5": 0.9375, "j6": 0.9375}


def in_units(joint: str, q: object) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Joint positions in deg, the slide's in mm."""
    return np.asarray(q, dtype=float) * (1e3 if joint == "j2" else 180 / math.pi)


def run(watch: Watch) -> Result:
    runs: dict[str, Recording] = {}
    for joint in NO_LOAD:
        scene = open_loop_scene(joint, amplitude=CURRENT, duration=DURATION)
        runs[joint] = scene.run("extrapolated", STEP, progress=watch.stage(f"valve of {joint}", DURATION))
    angular = Figure("Joints driven open loop (source: Fig. 6)", y="from start [deg]")
    linear = Figure("The slide driven open loop (source: Fig. 6)", y="from start [mm]")
    rows, ratios, drift, periods = [], {}, {}, []
    for joint, recording in runs.items():
        q = in_units(joint, recording[f"arm.q.{joint}"])
        (linear if joint == "j2" else angular).add(recording.time, q - q[0], joint)
        cycle = round(2.0 / (recording.time[1] - recording.time[0]))
        expected = NO_LOAD[joint] * math.sqrt(2) * 1e3 * CURRENT * 2 / math.pi
        ratios[joint], drift[joint] = np.ptp(q[: cycle + 1]) / expected, q[cycle] - q[0]
        periods.append(period_of(q, 2.0 / cycle))
        unit = "mm" if joint == "j2" else "deg"
        rows.append((joint, f"{np.ptp(q[: cycle + 1]):.2f} {unit}", f"{expected:.2f} {unit}", f"{drift[joint]:.3f} {unit}"))
    weight = min(abs(drift[j]) for j in GRAVITY)
    free = max(abs(drift[j]) for j in NO_LOAD if j not in GRAVITY)
    least, most = float(min(ratios.values())), float(max(ratios.values()))
    claims = [
        Claim("C00-01", "model against experiment", "0.4, 0.3", None, "deg, mm", "hardware", reproducible=False),
        Claim("C00-02a", "period of the motion", 2.0, float(np.mean(periods)), "s",
              judge(max(abs(p - 2) for p in periods) < 0.02)),
        Claim("C00-02b", "stroke over flow / displacement", "1", f"{least:.3f} to {most:.3f}", "1",
              judge(least > 0.9 and most < 1.05), why="friction takes, weight gives"),
        Claim("C00-02c", "drift per cycle: least with weight, most without", None, f"{weight:.2g}, {free:.2g}", "deg or mm",
              judge(weight > 5 * free), why="joints 3 and 4 carry the weight and sink"),
    ]
    walls = sum(r.facts["wall"] for r in runs.values())
    table = TableRows("First cycle", ("joint", "peak to peak", "no-load estimate", "drift"), rows)
    return Result(
        machine="kaeri-arm", integrator="extrapolated", step=STEP, simulated=DURATION * len(runs), wall=walls, claims=claims,
        figures=[angular, linear], tables=[table], recordings=runs,
    )


def period_of(q: np.ndarray[tuple[int, ...], np.dtype[np.float64]], spacing: float) -> float:
    """Mean distance of the maxima, one a cycle of about 2 s."""
    size = round(2.0 / spacing)
    trend = q - np.linspace(q[0], q[(len(q) // size) * size - 1], len(q))
    tops = [k * size + int(np.argmax(trend[k * size : (k + 1) * size])) for k in range(len(q) // size)]
    return float(np.mean(np.diff(tops)) * spacing)


STUDIES = (Study("open-loop", "Hydraulic arm, one valve at a time driven by a sine", "[kim2021]", run),)
