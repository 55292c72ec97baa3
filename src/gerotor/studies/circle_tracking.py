"""The hydraulic arm's tool on a circle of 300 mm under the source's PID gains."""

from __future__ import annotations

import numpy as np

from gerotor.control.gain_rule import gain_rule
from gerotor.machines import Machine, load_machine
from gerotor.simulation.recording import Recording
from gerotor.simulation.report import Figure, TableRows
from gerotor.studies.base import Claim, Result, Study, Watch, judge
from gerotor.studies.kaeri import SAMPLE, TARGET, TOOL, circle_scene, joint_error, tracking

STEP, HHT_STEP, TURN = 1e-2, 2e-4, 48.0
CASES = {"kaeri-arm": "set S", "kaeri-arm-n": "set N, with rotor inertia", "kaeri-arm-250": "payload of 250 kg"}


def run(watch: Watch) -> Result:
    runs, rows = {}, []
    for machine, title in CASES.items():
        scene = circle_scene(machine)
        runs[machine] = scene.run("extrapolated", STEP, progress=watch.stage(f"circle, {title}", scene.duration))
        rows.append((title, "default, 10 ms", *(f"{v * 1e3:.3f}" for v in tracking(runs[machine]))))
    scene = circle_scene()
    published = scene.run("hht-alpha", HHT_STEP, progress=watch.stage("circle, HHT-alpha", scene.duration))
    rows.insert(1, ("set S", "HHT-alpha, 0.2 ms", *(f"{v * 1e3:.3f}" for v in tracking(published))))
    rows.append(("source", "HHT-alpha, 0.2 ms", "0.496", "0.171", "0.656"))
    main = runs["kaeri-arm"]
    table = TableRows("RMS error of the tool in mm", ("machine", "method", "x", "y", "z"), rows)
    return Result(
        machine="kaeri-arm", integrator="extrapolated", step=STEP, simulated=scene.duration, wall=main.facts["wall"],
        claims=claims_of(main, published), figures=figures(main), tables=[table], recordings=runs,
    )


def claims_of(main: Recording, published: Recording) -> list[Claim]:
    why = ("centre, plane and attitude of the circle, and masses, not printed", "", "")
    claims = [
        Claim(f"C00-03{axis}", f"RMS error of the tool, {axis} (0.1 to 1.5)", p, float(ours * 1e3), "mm",
              judge(1e-4 < ours < 1.5e-3), why=text)
        for axis, p, ours, text in zip("xyz", (0.4963, 0.1705, 0.6564), tracking(published), why, strict=True)
    ]
    again = repetition(main)
    held = follow_the_rule(load_machine("kaeri-arm"))
    return [
        *claims,
        Claim("C00-03t", "error repeats after one turn, 48 s: correlation", None, again, "1", judge(again > 0.95)),
        Claim("C00-04", "agreement with an experiment", None, None, "", "hardware", reproducible=False),
        Claim("C00-16", "Kp / Kd and Ki / Kd of all gains", "32, 64", "32, 64" if held else "other", "1", judge(held),
              why="time-delay control, s^2 + 32 s + 64 at 10 ms"),
        Claim("C00-07", "default at 10 ms against HHT-alpha at 0.2 ms, joints", None, joint_error(main, published), "rad",
              judge(joint_error(main, published) < 1e-4)),
    ]


def follow_the_rule(machine: Machine) -> bool:
    """Whether the gains of every controller are those of `gain_rule` for the inertia Kd times the period."""
    for section in machine.file.controllers.values():
        printed = {k: np.array([float(text.split()[0]) for text in section[k]]) for k in ("Kp", "Ki", "Kd")}
        rule = gain_rule((printed["Kd"] * SAMPLE).tolist(), period=SAMPLE)
        if not all(np.allclose(getattr(rule, k), printed[k], rtol=1e-9) for k in printed):
            return False
    return True


def repetition(run: Recording) -> float:
    """Correlation of the tracking error with itself one turn later."""
    first, second = (run.time >= 4) & (run.time < 12), (run.time >= 4 + TURN) & (run.time < 12 + TURN)
    error = np.array([run[a] - run[b] for a, b in zip(TOOL, TARGET, strict=True)])
    return float(np.corrcoef(error[:, first].ravel(), error[:, second].ravel())[0, 1])


def figures(run: Recording) -> list[Figure]:
    plane = Figure("Tool and target (source: Fig. 8)", x="x [mm]", y="z [mm]",
                   caption="Dotted: the tool with its error drawn 50 times larger.")
    x, z, rx, rz = (run[n] * 1e3 for n in (TOOL[0], TOOL[2], TARGET[0], TARGET[2]))
    plane.add(rx, rz, "target").add(x, z, "tool", dash="dashdot")
    plane.add(rx + 50 * (x - rx), rz + 50 * (z - rz), "error x 50", dash="dot")
    picture = plane.draw()
    picture.update_yaxes(scaleanchor="x")
    picture.update_layout(height=560, hovermode="closest")
    plane.plotly = picture
    error = Figure("Tracking error (source: Fig. 8)", y="error [mm]")
    for axis, a, b in zip("xyz", TOOL, TARGET, strict=True):
        error.add(run.time, (run[a] - run[b]) * 1e3, axis)
    return [plane, error]


STUDIES = (Study("circle-tracking", "Hydraulic arm on a circle of 300 mm, PID at 100 Hz", "[kim2021]", run),)
