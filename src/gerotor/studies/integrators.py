"""Step sizes, cost and error of RK4, AB3, HHT-alpha and the default method on the hydraulic arm.

The largest stable step is found by bisection over steps that divide the control period of 10 ms, on 6 s of the circle:
a run is stable that finishes with the joints within 1e-3 rad (m) of a converged one. Bisection supposes that all
smaller steps are stable too. Cost per step is that of the fastest run, what a quiet computer would show every time.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from gerotor.errors import StepError
from gerotor.machines.kaeri_arm.pipe import CUT_LENGTH, CUT_START
from gerotor.simulation.recording import Recording
from gerotor.simulation.report import Figure, TableRows
from gerotor.simulation.simulation import Simulation
from gerotor.studies.base import Claim, Result, Study, Watch, judge
from gerotor.studies.kaeri import JOINTS, SAMPLE, Scene, circle_scene, cut_scene, joint_error

PUBLISHED = {"rk4": 2e-5, "ab3": 2e-5, "hht-alpha": 2e-4, "extrapolated": SAMPLE}  # s; of the default: ours
TITLES = {"rk4": "RK4", "ab3": "AB3", "hht-alpha": "HHT-alpha", "extrapolated": "default"}
LADDER = {"hht-alpha": (5e-5, 1e-4, 2.5e-4), "extrapolated": (2e-4, 5e-4, 1e-3, 2e-3, 5e-3)}
DURATION, IN_CUT, STABLE = 6.0, 1.5, 1e-3
IN_WALL = (0.0, 2.585, -1.445)


@dataclass
class Trial:
    """One method on one scene: runs at any step, each remembered."""

    scene: Scene
    simulation: Simulation
    reference: Recording | None = None
    errors: dict[float, float] = field(default_factory=dict)
    cost: float = math.inf

    def run(self, step: float) -> Recording | None:
        """A recording, or None where the run diverged."""
        try:
            made = self.simulation.run(
                self.scene.duration, step, start=self.scene.start, record=list(JOINTS), record_period=SAMPLE
            )
        except StepError:
            self.errors[step] = math.inf
            return None
        self.cost = min(self.cost, made.facts["wall"] * step / self.scene.duration)
        if self.reference is not None:
            self.errors[step] = joint_error(made, self.reference)
        return made

    def stable(self, parts: int) -> bool:
        step = SAMPLE / parts
        if step not in self.errors:
            self.run(step)
        return self.errors[step] < STABLE


def largest_step(stable: Callable[[int], bool], most: int = 1024, accuracy: float = 1.04) -> float:
    """The largest stable step as a part of the control period: 1, 2, 4, ... parts until stable, then bisection."""
    good = 1
    while not stable(good):
        good *= 2
        if good > most:
            return 0.0
    bad = good // 2
    while bad and good - bad > 1 and good / bad > accuracy:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if stable(middle) else (good, middle)
    return SAMPLE / good


def ladder(machine: str, fine: float, watch: Watch) -> tuple[dict[str, Trial], dict[str, float]]:
    """All methods on the circle of one machine, and the largest stable step of each."""
    scene = circle_scene(machine, duration=DURATION)
    tell = watch.stage(f"{machine}: methods", float(len(PUBLISHED) + 1))
    reference = Trial(scene, scene.simulation("rk4")).run(fine)
    trials, steps = {}, {}
    for k, method in enumerate(PUBLISHED):
        tell(k + 1, 0)
        trials[method] = Trial(scene, scene.simulation(method), reference)
        trials[method].run(PUBLISHED[method])
        steps[method] = largest_step(trials[method].stable)
    tell(len(PUBLISHED) + 1, 0)
    return trials, steps


def in_the_cut(watch: Watch) -> dict[str, Trial]:
    """The source's methods with the saw in the wall, single teeth, at the steps of the circle."""
    tell = watch.stage("in the cut: methods", 3.0)
    trials: dict[str, Trial] = {}
    reference: Recording | None = None
    for k, (method, step) in enumerate((("rk4", 1e-5), ("rk4", 2e-5), ("ab3", 2e-5), ("hht-alpha", 2e-4))):
        scene = cut_scene(period=step, start=IN_WALL, length=CUT_START[1] + CUT_LENGTH - IN_WALL[1], duration=IN_CUT)
        trials[method] = Trial(scene, scene.simulation(method), reference)
        made = trials[method].run(step)
        reference = reference or made
        tell(k, 0)
    return trials


def run(watch: Watch) -> Result:
    trials, steps = ladder("kaeri-arm", PUBLISHED["rk4"] / 2, watch)
    mild, mild_steps = ladder("kaeri-arm-n", 5e-5, watch)
    cut = in_the_cut(watch)
    for method, more in LADDER.items():
        for step in more:
            trials[method].run(step)
    figure = Figure("Error and step, set S", x="step [ms]", y="RMS error of joints [rad, m]", log_x=True, log_y=True,
                    caption="Against RK4 at 0.01 ms.")
    for method, trial in trials.items():
        points = sorted((s * 1e3, e) for s, e in trial.errors.items() if 0 < e < STABLE)
        figure.add([p[0] for p in points], [p[1] for p in points], TITLES[method], mode="lines+markers")
    default = trials["extrapolated"]
    return Result(
        machine="kaeri-arm", integrator="extrapolated", step=SAMPLE, simulated=DURATION, wall=DURATION / SAMPLE * default.cost,
        claims=claims_of(trials, steps, mild_steps, cut), figures=[figure],
        tables=[table("Set S, circle", trials, steps), table("Set N, circle", mild, mild_steps)],
    )


def table(title: str, trials: dict[str, Trial], steps: dict[str, float]) -> TableRows:
    heads = ("method", "largest stable step [ms]", "us a step", "x real time", "step used [ms]", "x real time", "error [rad, m]")
    rows = []
    for method, trial in trials.items():
        used, largest = PUBLISHED[method], steps[method]
        rows.append((TITLES[method], f"{largest * 1e3:.4g}", f"{trial.cost * 1e6:.2f}", f"{largest / trial.cost:.0f}",
                     f"{used * 1e3:g}", f"{used / trial.cost:.0f}", f"{trial.errors[used]:.1e}"))
    return TableRows(title, heads, rows)


def claims_of(trials: dict[str, Trial], steps: dict[str, float], mild: dict[str, float], cut: dict[str, Trial]) -> list[Claim]:
    cost = {m: t.cost / PUBLISHED[m] for m, t in trials.items()}  # wall per simulated second at the source's steps
    rk4, ab3, hht, ours = "rk4", "ab3", "hht-alpha", "extrapolated"
    shown = ", ".join(f"{steps[m] * 1e3:.3g}" for m in (ab3, rk4, hht, ours))
    shown_mild = ", ".join(f"{mild[m] * 1e3:.3g}" for m in (ab3, rk4, hht, ours))
    error = trials[hht].errors[PUBLISHED[hht]]
    growth = [trials[hht].errors[s] / error for s in (1e-4, PUBLISHED[hht])]
    explicit = max(cut[m].errors[2e-5] for m in (rk4, ab3))
    in_cut = {m: cut[m].cost / (1e-5 if m in (rk4, ab3) else 2e-4) for m in cut}
    ratios, cut_ratios = ((c[rk4] / c[hht], c[ab3] / c[hht]) for c in (cost, in_cut))
    speed = "ratio depends on the code and computer"
    return [
        Claim("C00-05a", "largest stable step: AB3, RK4, HHT-alpha, default; set S", "0.02, 0.02, 0.2, -", shown, "ms",
              judge(0 < steps[ab3] < steps[rk4] < steps[hht]),
              why="RK4 bears more than printed; default at its bound, the control period"),
        Claim("C00-05b", "the same, set N (with rotor inertia)", None, shown_mild, "ms", judge(mild[ab3] > steps[ab3]),
              why="the ladder of the source hangs on the missing rotor inertia"),
        Claim("C00-05c", "time at the source's steps: RK4/HHT, AB3/HHT", "4.01, 1.25", f"{ratios[0]:.1f}, {ratios[1]:.1f}", "1",
              judge(ratios[0] > ratios[1] > 1), why=f"order only; {speed}"),
        Claim("C00-06", "HHT-alpha step over one evaluation of the model", "9.9", trials[hht].cost / (trials[rk4].cost / 4), "1",
              "holds", False, why="exact Jacobians in compiled code are cheaper"),
        Claim("C00-07", "HHT-alpha at 0.2 ms against a converged run", None, error, "rad, m", judge(error < 1e-5)),
        Claim("C00-08", "error of HHT-alpha at 0.1 ms over that at 0.2 ms", "below 1", growth[0], "1", judge(growth[0] < 1),
              why="grows with the step; no cliff at 5 kHz"),
        Claim("C00-14a", "the cut at 0.01, 0.01, 0.2 ms: RK4/HHT, AB3/HHT", "7.81, 2.13",
              f"{cut_ratios[0]:.1f}, {cut_ratios[1]:.1f}", "1", judge(cut_ratios[0] > cut_ratios[1] > 1),
              why=f"order only; {speed}"),
        Claim("C00-14b", "HHT-alpha in the cut", 1.46, 1 / in_cut[hht], "x real time", judge(1 / in_cut[hht] > 1), False),
        Claim("C00-15", "explicit methods need 0.01 ms in the cut: error at 0.02 ms", "too large", explicit, "rad, m",
              "holds" if explicit > 1e-6 else "differs", False, why="neither stability nor accuracy asks for it"),
        Claim("ours", "default over HHT-alpha at their steps: speed, error", None,
              f"{cost[hht] / cost[ours]:.1f}x, {trials[ours].errors[SAMPLE]:.1e} / {error:.1e}", "",
              judge(cost[hht] > cost[ours]), False),
    ]


STUDIES = (Study("integrators", "Largest stable step, cost and error of four methods on the hydraulic arm", "[kim2021]", run),)
