"""A scenario file: machine, task, controller, integrator, what to record; ready to run."""

from __future__ import annotations

from dataclasses import dataclass
from os.path import isfile
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from gerotor.codegen.world import multiple
from gerotor.core.sampled import Sampled
from gerotor.core.table import Table
from gerotor.errors import InputError
from gerotor.integrators import DEFAULT, integrator
from gerotor.machines import load_machine
from gerotor.machines.load import first_errors, read_yaml
from gerotor.machines.machine import position_quantities
from gerotor.machines.quantity import Seconds
from gerotor.machines.schema import Spec
from gerotor.simulation.closed_loop import closed_loop
from gerotor.simulation.recording import Recording
from gerotor.simulation.reference import Part
from gerotor.simulation.simulation import Progress, Simulation
from gerotor.simulation.tasks import Hold, Sines, Task, sine_source
from gerotor.units import quantity


class Record(Spec):
    """Which signals, how often."""

    signals: list[str] | None = None
    period: Seconds | None = None


class Scenario(Spec):
    """The content of a scenario file."""

    machine: str
    duration: Seconds
    step: Seconds = 0.005
    integrator: str = DEFAULT
    options: dict[str, Any] = {}
    start: dict[str, Any] = {}
    controller: str | None = None
    task: Task = Hold(kind="hold")
    inputs: dict[str, Any] = {}
    record: Record = Record()


@dataclass
class Prepared:
    """A scenario with its kernel built."""

    scenario: Scenario
    simulation: Simulation
    start: dict[str, float]
    inputs: dict[str, float]

    def run(self, progress: Progress | None = None) -> Recording:
        s = self.scenario
        return self.simulation.run(
            s.duration, s.step, start=self.start, inputs=self.inputs, record=s.record.signals,
            record_period=s.record.period, progress=progress,
        )


def read_scenario(path: str | Path) -> Scenario:
    """A validated scenario file."""
    try:
        return Scenario.model_validate(read_yaml(Path(path)))
    except ValidationError as error:
        raise first_errors(path, error) from None


def prepare(scenario: Scenario, folder: Path | None = None, progress: Part | None = None) -> Prepared:
    """Load the machine, find the set-points, build the kernel; every error comes before the run.

    `progress` hears the part of the set-points found.
    """
    for name, value in (("duration", scenario.duration), ("step", scenario.step)):
        if value <= 0:
            raise InputError(f"{name} = {value:g} s: must be above 0")
    if scenario.duration / scenario.step > 1e9:
        raise InputError(f"duration / step = {scenario.duration / scenario.step:.3g} steps: at most 1e9")
    if scenario.record.period is not None:
        multiple(scenario.record.period, scenario.step, "record.period")
    own = folder is not None and isfile(folder / scenario.machine)
    machine = load_machine(folder / scenario.machine if own and folder else scenario.machine)
    assembled = machine.assemble(positions=tuple(f.name for f in machine.file.frames))
    ode = assembled.ode()
    start = position_quantities(machine, scenario.start, "start")
    parts: list[Sampled] = []
    tables: list[Table] = []
    if isinstance(scenario.task, Sines):
        if scenario.controller is not None:
            raise InputError(f"controller = {scenario.controller!r}: a sine task drives the inputs itself; leave one of them out")
        parts.append(sine_source(scenario.task, assembled, scenario.step))
    elif scenario.controller is not None:
        parts, tables, q = closed_loop(scenario.task, scenario.controller, assembled, scenario.duration, start, progress=progress)
        start = dict(zip(machine.tree.names, map(float, q), strict=True))
    elif not isinstance(scenario.task, Hold):
        raise InputError(f"task {scenario.task.kind} needs a controller; known: {', '.join(machine.file.controllers) or 'none'}")
    alone = not parts
    period = min((p.period for p in parts), default=scenario.step)
    parts = assembled.loop(parts, period, start)
    simulation = Simulation(ode, parts, tables, integrator(scenario.integrator, **scenario.options))
    held = {e.name: e.unit for e in simulation.program.outside}
    for name in scenario.inputs:
        simulation.program.outside.index(name)
    inputs = {n: quantity(v, held[n], f"inputs.{n}") for n, v in scenario.inputs.items()}
    begun = assembled.trim(start) if alone else assembled.rest(start)
    commands = {n: v for n, v in begun.items() if n in simulation.program.outside}
    return Prepared(scenario, simulation, {n: v for n, v in begun.items() if n not in commands}, commands | inputs)
