"""All runs of the study, once, and the figures read off them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gerotor.machines.docking_rig.computer import DITHER
from gerotor.machines.docking_rig.parameters import AXES
from gerotor.machines.docking_rig.scenario import Scenario
from gerotor.simulation.recording import Recording
from gerotor.studies.base import Watch
from gerotor.studies.docking.runs import Bench, Loop, amplitude, deviation
from gerotor.studies.docking.sweep import Sweep, sweep

FINE = 5e-4  # step where the identified damping is judged; 1 ms does elsewhere


@dataclass(frozen=True)
class Experiment:
    """One scenario of the source, run four ways."""

    title: str
    scenario: Scenario
    duration: float
    ideal: Recording
    bare: Recording
    published: Recording
    ours: Recording

    @property
    def axes(self) -> list[str]:
        """Axes that carry contact."""
        return [a for a in AXES if np.abs(self.ideal[f"rope.k.{a}"]).max() > 0]

    def error(self, way: str = "ours", group: str = "desired") -> float:
        """Largest RMS deviation of the control point from the ideal over the axes, in parts of the largest ideal excursion."""
        size = max(np.abs(self.ideal[f"control.{a}"] - self.ideal[f"control.{a}"][0]).max() / 2 for a in self.axes)
        found = deviation(getattr(self, way), self.ideal, group)
        return float(max(found[a] for a in self.axes) / size)

    def angle_error(self, way: str = "ours") -> float:
        """Largest RMS deviation of the angles, in parts of the largest ideal angle."""
        size = max(np.abs(self.ideal[f"bodies.phi_craft.{a}"]).max() for a in AXES)
        found = deviation(getattr(self, way), self.ideal)
        return float(max(found[a] for a in ("roll", "pitch", "yaw")) / size)

    def stiffness_error(self, way: str = "ours", after: float = 0.2) -> Any:
        """Relative error of the identified stiffness after `after` s, all axes."""
        run = getattr(self, way)
        late = run.time[:len(self.ideal)] >= after
        return np.abs(np.concatenate([(run[f"stiffness.{a}"] / self.ideal[f"rope.k.{a}"] - 1)[late] for a in self.axes]))

    def damping(self, way: str = "ours", after: float = 0.5) -> list[float]:
        """Mean of the identified damping over the true one after `after` s, by axis."""
        run = getattr(self, way)
        late = run.time >= after
        return [float(np.mean((run[f"damping.{a}"] / self.ideal[f"rope.c.{a}"])[late])) for a in self.axes]

    def settled(self, way: str = "ours", within: float = 0.1) -> float:
        """Time from which the stiffness of all axes stays within a share of the true one, s."""
        run = getattr(self, way)
        off = np.max([np.abs(run[f"stiffness.{a}"] / self.ideal[f"rope.k.{a}"] - 1) for a in self.axes], axis=0) > within
        return float(run.time[np.nonzero(off)[0][-1]]) if off.any() else 0.0

    def growth(self, begin: float, end: float) -> dict[str, tuple[float, float]]:
        """Amplitude of the control point between two times, uncompensated and ideal, by axis, m."""
        return {
            a: (amplitude(self.bare[f"desired.{a}"], self.bare.time, begin, end),
                amplitude(self.ideal[f"control.{a}"], self.ideal.time, begin, end))
            for a in self.axes
        }


@dataclass
class Everything:
    """What the claims are judged from."""

    bench: Bench
    single: Experiment
    six: Experiment
    varying: Experiment
    spring_slow: Experiment
    spring_fast: Experiment
    rope: Experiment
    stiffening: Recording
    late_sensor: dict[str, float]
    one_drift: dict[str, float]
    sweeps: list[Sweep] = field(default_factory=list)


def conduct(watch: Watch) -> Everything:
    """Every run of the study."""
    bench = Bench()

    def experiment(title: str, scenario: Scenario, duration: float, published: Loop | None = None) -> Experiment:
        done = watch.stage(title, 4 * duration)
        ideal = bench.ideal(scenario, duration)
        bare = bench.published.run(replace(scenario, compensate=False), duration)
        way = (published or bench.published).run(scenario, duration)
        ours = bench.aligned.run(replace(scenario, dither=DITHER), duration, step=FINE)
        done(4 * duration, bench.wall)
        return Experiment(title, scenario, duration, ideal, bare, way, ours)

    varying = Scenario("table-2", variation=1.0)
    rope = replace(Scenario("table-4"), stiffening=True)
    everything = Everything(
        bench,
        single=experiment("one axis, table 1", Scenario("table-1"), 6.0),
        six=experiment("six degrees of freedom, table 2", Scenario("table-2"), 4.0),
        varying=experiment("varying contact, table 2", varying, 4.0, bench.published_varying),
        spring_slow=experiment("spring, table 3-I", Scenario("table-3-I"), 6.0),
        spring_fast=experiment("spring, table 3-II", Scenario("table-3-II"), 6.0),
        rope=experiment("wire ropes, table 4", Scenario("table-4"), 4.0),
        stiffening=bench.aligned.run(replace(rope, dither=DITHER), 4.0, step=FINE),
        late_sensor=_late_sensor(bench),
        one_drift=_one_drift(bench, varying),
    )
    done = watch.stage("delay sweep", float(len(bench.rig.sets)))
    for k, name in enumerate(bench.rig.sets):
        everything.sweeps.append(sweep(bench.rig, name))
        done(k + 1.0, bench.wall)
    return everything


def _late_sensor(bench: Bench) -> dict[str, float]:
    """Mean identified damping over the true one when the sensor is 0.3 ms slower than the computer believes."""
    slow = Scenario("table-3-I", sensor_lag=1.3e-3)
    runs = {
        "as published": bench.published.run(slow, 6.0, step=FINE),
        "lag matched, not estimated": bench.matched.run(slow, 6.0, step=FINE),
        "lag matched and estimated": bench.aligned.run(replace(slow, dither=DITHER), 6.0, step=FINE),
    }
    return {name: float(np.mean(run["damping.z"][run.time >= 1.0])) / 120.0 for name, run in runs.items()}


def _one_drift(bench: Bench, varying: Scenario) -> dict[str, float]:
    """95 % bound of the stiffness error with each fixed drift and the adaptive one, on constant and varying contact."""
    out = {}
    for contact, scenario in (("constant", Scenario("table-2")), ("varying", varying)):
        ideal = bench.ideal(scenario, 4.0)
        ways = {"slow drift": bench.aligned_slow, "fast drift": bench.aligned_fast, "adaptive": bench.aligned}
        for name, way in ways.items():
            run = way.run(replace(scenario, dither=DITHER), 4.0)
            errors = [np.abs(run[f"stiffness.{a}"] / ideal[f"rope.k.{a}"] - 1)[200:] for a in AXES]
            out[f"{name}, {contact}"] = float(np.quantile(np.concatenate(errors), 0.95))
    return out
