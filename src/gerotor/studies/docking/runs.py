"""Runs of the docking rig: ideal, uncompensated, compensated as published, compensated with what we add."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from gerotor.codegen.world import World
from gerotor.estimation.contact_identifier import ContactIdentifier
from gerotor.machines.docking_rig.computer import DITHER, PERIOD, Computer, adaptive_identifier
from gerotor.machines.docking_rig.dynamics import ideal, start
from gerotor.machines.docking_rig.parameters import AXES
from gerotor.machines.docking_rig.physical import physical_half
from gerotor.machines.docking_rig.scenario import Scenario
from gerotor.machines.docking_rig.values import RigFile, load_rig
from gerotor.simulation.recording import Recording
from gerotor.simulation.simulation import Simulation

STEP = 1e-3
POSE = ("x", "y", "z", "roll", "pitch", "yaw")
RECORD = (
    *(f"{g}.{n}" for g in ("desired", "actual") for n in POSE),
    *(f"{g}.{a}" for g in ("stiffness", "damping", "delay", "force", "moment") for a in AXES),
)


@dataclass
class Bench:
    """Compiled loops of the rig, built when first asked for and used again for every set."""

    rig: RigFile = field(default_factory=load_rig)
    wall: float = 0.0
    simulated: float = 0.0

    @property
    def _noise(self) -> float:
        return self.rig.sensor["force_noise"].si("N", "sensor.force_noise")

    @cached_property
    def published(self) -> Loop:
        """The source's filter: lead on the force, increments of one sample, fixed drift for constant contact."""
        return self._loop(ContactIdentifier(PERIOD, self._noise, (1e4, 0.1)), matched=False)

    @cached_property
    def published_varying(self) -> Loop:
        """The same with the drift for varying contact."""
        return self._loop(ContactIdentifier(PERIOD, self._noise, (1e6, 1e2)), matched=False)

    @cached_property
    def matched(self) -> Loop:
        """Motion behind the sensor's lag, increments over five samples, gate, slow fixed drift; no alignment estimate."""
        return self._loop(replace(adaptive_identifier(self.rig), aligned=False, fast_drift=None), matched=True)

    @cached_property
    def aligned(self) -> Loop:
        """All of it: alignment estimated with a small dither, drift adapted."""
        return self._loop(adaptive_identifier(self.rig), matched=True)

    @cached_property
    def aligned_slow(self) -> Loop:
        """The same with a slow fixed drift."""
        return self._loop(replace(adaptive_identifier(self.rig), fast_drift=None), matched=True)

    @cached_property
    def aligned_fast(self) -> Loop:
        """The same with a fast fixed drift."""
        return self._loop(replace(adaptive_identifier(self.rig), drift=(1e6, 1e2), fast_drift=None), matched=True)

    def speed(self, duration: float = 10.0, tries: int = 5) -> tuple[float, float]:
        """Simulated and wall seconds of the compensated six-axis rig in one process, recorded at 100 Hz; best of a few."""
        scenario = Scenario("table-2", dither=DITHER)
        return duration, min(self.aligned.run(scenario, duration, record_period=1e-2).facts["wall"] for _ in range(tries))

    def _loop(self, identifier: ContactIdentifier, *, matched: bool) -> Loop:
        computer = Computer(self.rig, identifier, matched)
        return Loop(self, computer, Simulation(physical_half(self.rig), [computer.sampled()], method="rk4"))

    @cached_property
    def _ideal(self) -> Simulation:
        return Simulation(ideal(self.rig), method="rk4")

    def ideal(self, scenario: Scenario, duration: float) -> Recording:
        """The docking without platform and sensor."""
        names = [f"{g}.{a}" for g in ("control", "force", "moment", "rope.k", "rope.c", "bodies.phi_craft") for a in AXES]
        own = {k: v for k, v in scenario.parameters(self.rig).items() if k in self._ideal.ode.parameters}
        return self._ideal.run(
            duration, STEP, start=start(self.rig, scenario.set), parameters=own, record=names, record_period=PERIOD,
        )


@dataclass
class Loop:
    """One way of running the rig, compiled."""

    bench: Bench
    computer: Computer
    simulation: Simulation

    def world(self, scenario: Scenario, step: float = STEP) -> World:
        """Running data of a scenario, both halves at rest at the offset."""
        rig, sim = self.bench.rig, self.simulation
        begin = scenario.start(rig, sim.ode)
        world = sim.world(step, start=begin, parameters=scenario.parameters(rig), inputs=scenario.settings(rig))
        inner = scenario.computed_start(rig, self.computer, begin)
        world.d[:] = [inner[n.removeprefix("computer.")] for n in sim.program.discrete.names]
        return world

    def run(self, scenario: Scenario, duration: float, *, step: float = STEP, record_period: float = PERIOD) -> Recording:
        """One compiled call; what it cost is added to the bench."""
        recording = self.simulation.continue_run(
            self.world(scenario, step), duration, record=list(RECORD), record_period=record_period,
        )
        self.bench.wall += recording.facts["wall"]
        self.bench.simulated += recording.facts["simulated"]
        return recording


def deviation(run: Recording, reference: Recording, group: str = "desired") -> dict[str, float]:
    """Root mean square of the run's control point against the ideal, by axis of the pose (m, rad)."""
    n = min(len(run), len(reference))
    out = {a: run[f"{group}.{a}"][:n] - reference[f"control.{a}"][:n] for a in AXES}
    for angle, a in zip(POSE[3:], AXES, strict=True):
        out[angle] = run[f"{group}.{angle}"][:n] - reference[f"bodies.phi_craft.{a}"][:n]
    return {name: float(np.sqrt(np.mean(values**2))) for name, values in out.items()}


def amplitude(values: np.ndarray, times: np.ndarray, begin: float, end: float) -> float:  # type: ignore[type-arg]
    """Half the span between two times."""
    part = values[(times >= begin) & (times <= end)]
    return float(np.ptp(part) / 2)
