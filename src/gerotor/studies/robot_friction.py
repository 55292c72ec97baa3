"""Robot with joint friction on a straight line: non-linear and by perturbation [aarts2004]."""

from __future__ import annotations

import time

import numpy as np

from gerotor.errors import StepError
from gerotor.machines import load_machine
from gerotor.simulation.report import Figure, TableRows
from gerotor.simulation.simulation import Simulation
from gerotor.studies.base import Claim, Result, Study, Watch, judge
from gerotor.studies.robot import STEP, TIP, Array, Scene

SOURCE = "[aarts2004]"
POINTS = (25, 50, 100, 200, 400)
UM = 1e6


def run(watch: Watch) -> Result:
    """The line once with the whole robot, then by perturbation with N points, split and whole cubics."""
    scene = Scene(load_machine("rx90"))
    began = time.perf_counter()
    whole = scene.nonlinear
    told = watch.stage("non-linear robot", scene.until)
    full = scene.run(whole)
    told(scene.until, full.facts["wall"])
    deviation, s = UM * scene.deviation(full), scene.along(full)
    rows, errors, sims, prepared = [], {}, {}, {}
    for split in (True, False):
        for points in POINTS if split else POINTS[-1:]:
            told = watch.stage(f"perturbation, N = {points}, {'split' if split else 'whole'} cubics", scene.until)
            record, prepared[split, points] = scene.preprocess(points, split)
            sims[split, points] = scene.perturbation(record)
            quick = scene.run(sims[split, points])
            told(scene.until, quick.facts["wall"])
            errors[split, points] = quick.values[:, 1:] - full.values[:, 1:]
            size = UM * np.linalg.norm(errors[split, points][:, :3], axis=1)
            rows.append([points, "split" if split else "one", f"{size.max():.3g}", f"{np.quantile(size, 0.95):.3g}",
                         f"{prepared[split, points]:.3g}"])
    best = sims[True, 400]
    t_full, t_quick = _times(scene, whole, best)
    smooth = Scene(load_machine("rx90"), jerk=10.0)
    gentle = UM * np.abs(smooth.deviation(smooth.run(smooth.nonlinear)))
    result = Result(
        machine="rx90", integrator=whole.integrator.name, step=STEP, simulated=scene.until, wall=t_full,
        claims=_claims(deviation, s, errors, full.values[:, 4:], speed=scene.until / t_full, ratio=t_full / t_quick),
    )
    result.recordings = {"nonlinear": full, "perturbation": scene.run(best)}
    result.figures = _figures(scene, result, errors)
    result.tables = [
        TableRows("Perturbation against the non-linear run",
                  ["N", "cubics", "largest [um]", "95 % below [um]", "preprocessing [s]"], rows),
        TableRows("Run times of the path", ["run", "wall [ms]", "times real time"], [
            ["non-linear", f"{1e3 * t_full:.1f}", f"{scene.until / t_full:.0f}"],
            ["perturbation, N = 400", f"{1e3 * t_quick:.1f}", f"{scene.until / t_quick:.0f}"],
            ["perturbation with preprocessing", f"{1e3 * (t_quick + prepared[True, 400]):.0f}",
             f"{scene.until / (t_quick + prepared[True, 400]):.1f}"],
            ["whole study", f"{1e3 * (time.perf_counter() - began):.0f}", ""],
        ]),
        TableRows("Largest deviation from the line [um]", ["speed profile", "across", "along", "vertical"], [
            ["trapezoid", *(f"{x:.0f}" for x in np.abs(deviation).max(axis=0))],
            ["jerk-limited, 10 m/s^3", *(f"{x:.0f}" for x in gentle.max(axis=0))],
        ]),
    ]
    return result


def _times(scene: Scene, whole: Simulation, quick: Simulation, repeats: int = 9, chunk: int = 600) -> tuple[float, float]:
    """Wall time of the path, both in turns, chunk by chunk the least of some repeats: what a core of one's own takes."""
    chunks = round(scene.until / STEP) // chunk
    best = np.full((2, chunks), np.inf)
    for _ in range(repeats):
        for k, simulation in enumerate((whole, quick)):
            world = simulation.world(STEP, start=_start(scene, simulation))
            for i in range(chunks):
                began = time.perf_counter()
                simulation.kernel.run(world, chunk)
                best[k, i] = min(best[k, i], time.perf_counter() - began)
    full, fast = (best.sum(axis=1) * scene.until / (chunks * chunk * STEP)).tolist()
    return full, fast


def _start(scene: Scene, simulation: Simulation) -> dict[str, float] | None:
    if "arm.q.j1" not in simulation.ode.states:
        return None
    return {f"arm.q.{j}": float(q) for j, q in zip(scene.machine.tree.names, scene.start, strict=True)}


def _claims(
    deviation: Array, s: Array, errors: dict[tuple[bool, int], Array], currents: Array, *, speed: float, ratio: float
) -> list[Claim]:
    across, explicit = np.abs(deviation[:, 0]), _explicit()

    def peak(a: float, b: float) -> float:
        return float(across[(s > a) & (s < b)].max())

    split = UM * np.abs(errors[True, 400][:, :3])
    one = UM * np.abs(errors[False, 400][:, :3])
    moving = 1e3 * np.abs(errors[True, 400][:, 3:]).max(axis=0)
    share = float((moving / (1e3 * np.abs(currents).max(axis=0)))[[0, 1, 2, 4, 5]].max())
    return [
        Claim("C03-1", "simulated and measured path deviation agree within 20 um", "20", None, "um", "hardware", False,
              "needs the authors' robot"),
        Claim("C03-2", "motor current of joint 3 as measured, but for the stick torques", "agrees", None, "", "hardware", False,
              "needs the authors' robot; the jump of its friction share at 600 mm is in the figure"),
        Claim("C03-2b", "large path error at 600 mm, where joints 2 and 3 reverse: over that of the rest of the way", "a jump",
              peak(0.55, 0.70) / peak(0.70, 1.20), "1", judge(peak(0.55, 0.70) > 3 * peak(0.70, 1.20)), True,
              f"{peak(0.55, 0.70):.0f} um against {peak(0.70, 1.20):.0f} um"),
        Claim("C03-3", "perturbation with N = 400 well below 10 um of the non-linear run", "10", float(split.max()), "um",
              judge(split.max() < 10), True, "cubics split at the corners of the speed profile"),
        Claim("C03-3b", "the same with one cubic over the whole motion, as the source seems to do", "10", float(one.max()), "um",
              judge(one.max() < 10), False, "the cubic rings where the acceleration of the trapezoid jumps"),
        Claim("C03-4", "mostly below 2 um: 95 % of the samples", "2", float(np.quantile(split.max(axis=1), 0.95)), "um",
              judge(np.quantile(split.max(axis=1), 0.95) < 2)),
        Claim("C03-5", "currents agree: largest difference over the peak, axis 4 (at rest) left out", "good", share, "1",
              judge(share < 0.01)),
        Claim("C03-6", "perturbation saves run time: factor", "about 10", ratio, "1", judge(ratio > 8), False,
              "theirs avoids the iterations of a finite-element code; here the whole robot costs 1 to 2 us a step, and friction,"
              " control and a 6 x 6 factorisation, which both runs share, set the limit"),
        Claim("C03-6b", "it does save run time: factor above 1.5", "above 1.5", ratio, "1", judge(ratio > 1.5)),
        Claim("C03-7", "stiff integrator needed: RK4 at the controller's step", "diverges", explicit, "",
              judge(explicit == "diverges")),
        Claim("C03-8", "non-linear run slow (70 min on a Pentium 4): times faster than real time", None, speed, "1",
              "hardware", False, "another code on another computer; at least 50 is asked of this one"),
        Claim("C03-9", "laser welding needs 0.1 mm at more than 100 mm/s: largest deviation at 250 mm/s", "100",
              float(np.abs(deviation).max()), "um", "hardware", False,
              "depends on gains and friction that the source does not print"),
    ]


def _explicit() -> str:
    scene = Scene(load_machine("rx90"), method="rk4")
    try:
        scene.run(scene.nonlinear)
    except StepError:
        return "diverges"
    return "runs"


def _figures(scene: Scene, result: Result, errors: dict[tuple[bool, int], Array]) -> list[Figure]:
    full, quick = result.recordings["nonlinear"], result.recordings["perturbation"]
    t, s = full.time, 1e3 * scene.along(full)
    _, v, _ = scene.motion.at(t)
    six = Figure("Path and speed (fig. 6)", "time [s]", "position along the line [m], speed [m/s]")
    six.add(t, s / 1e3, "position").add(t, scene.path.profile.velocity(t), "speed")
    seven = Figure("Joint velocities of the set-points (fig. 7)", "time [s]", "velocity [rad/s]")
    for k in range(6):
        seven.add(t, v[:, k], f"joint {k + 1}")
    d, e = (UM * scene.deviation(r) for r in (full, quick))
    eight = [Figure(f"{title} deviation (figs. 8 and 10)", "distance along the line [mm]", "deviation [um]",
                    caption="The source's curves exist only as pictures; no data to lay beside ours.")
             for title in ("Horizontal", "Vertical")]
    for figure, k in zip(eight, (0, 2), strict=True):
        figure.add(s, d[:, k], "non-linear").add(s, e[:, k], "perturbation, N = 400", dash="dot")
    nine = Figure("Motor current of joint 3 (fig. 9)", "distance along the line [mm]", "current [A]")
    nine.add(s, full["j3.i"], "non-linear").add(s, quick["j3.i"], "perturbation, N = 400", dash="dot")
    ten = Figure("Perturbation minus non-linear (fig. 10)", "distance along the line [mm]", "distance [um]", log_y=True)
    for (split, points), error in errors.items():
        if points in (25, 100, 400):
            size = UM * np.linalg.norm(error[:, : len(TIP)], axis=1)
            ten.add(s, np.maximum(size, 1e-4), f"N = {points}, {'split' if split else 'one'} cubic")
    return [six, seven, *eight, nine, ten]


STUDIES = (Study("robot-friction", "Straight line of a robot with joint friction, whole and by perturbation", SOURCE, run),)
