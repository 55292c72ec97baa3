"""Delay sweep: growth of the uncompensated motion below and above the critical delay, run by run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gerotor.machines.docking_rig.dynamics import ideal, start
from gerotor.machines.docking_rig.parameters import AXES, values
from gerotor.machines.docking_rig.values import RigFile
from gerotor.realtime.hil import Axis, HilLoop, Interface
from gerotor.simulation.simulation import Simulation

PERIOD = 5e-4
FACTORS = (0.8, 0.9, 1.1, 1.2)
SMALL = 1e-3  # of the set's offset: the sweep is about the stability of the linear loop


@dataclass(frozen=True)
class Sweep:
    """Delays tried, growth rate found at each (1/s), the critical delay predicted and the one found between the runs."""

    set: str
    delays: tuple[float, ...]
    growth: tuple[float, ...]
    predicted: float
    pure: float
    mode: float

    @property
    def found(self) -> float:
        """Where the growth passes zero, by a straight line through the two nearest runs."""
        for k in range(len(self.delays) - 1):
            a, b = self.growth[k], self.growth[k + 1]
            if a < 0 <= b:
                return self.delays[k] + (self.delays[k + 1] - self.delays[k]) * a / (a - b)
        return float("nan")

    @property
    def changes_once(self) -> bool:
        """Every run below the prediction dies out, every run above grows."""
        return all((g > 0) == (d > self.predicted) for d, g in zip(self.delays, self.growth, strict=True))


def hil_loop(rig: RigFile, name: str, delay: float, kind: str = "transport") -> HilLoop:
    """The docking as a machine whose rope stands behind an interface."""
    p, begin = values(rig, name), start(rig, name)
    offset = rig.set(name).offset.vector("m", f"sets.{name}.offset")
    rest = begin | {f"bodies.S_craft.{a}": begin[f"bodies.S_craft.{a}"] - offset[k] for k, a in enumerate(AXES)}
    near = rest | {f"bodies.S_craft.{a}": rest[f"bodies.S_craft.{a}"] + SMALL * offset[k] for k, a in enumerate(AXES)}
    axes = [
        Axis(a, f"F.{a}", f"point.l.{a}", f"point.v.{a}", p[f"contact.stiffness.{k}"], p[f"contact.damping.{k}"], sign=1)
        for k, a in enumerate(AXES) if a in rig.set(name).axes
    ]
    return HilLoop(
        ideal(rig, cut=True), axes, Interface(PERIOD, delay, kind), start=near, parameters=p, about=rest,
        tunable=kind == "transport" and delay > 0,
    )


def sweep(rig: RigFile, name: str) -> Sweep:
    """Runs at FACTORS times the predicted critical delay."""
    first = hil_loop(rig, name, 0.0)
    mode = first.linear().critical()
    pure = first.linear(sampled=False).critical().critical
    roots = first.linear().growth(1.1 * mode.critical)
    rate = max(abs(s.real) for s in roots if abs(s.imag / (2 * np.pi) - mode.frequency) < 0.3)
    duration = float(np.clip(2.0 / rate, 20.0, 400.0))
    delays = tuple(f * mode.critical for f in FACTORS)
    loop = hil_loop(rig, name, max(delays))
    simulation = Simulation(loop.machine, [loop.sampled()], method="rk4")
    rates = tuple(growth(loop, simulation, d, duration) for d in delays)
    return Sweep(name, delays, rates, mode.critical, pure, mode.critical_frequency)


def growth(loop: HilLoop, simulation: Simulation, delay: float, duration: float) -> float:
    """Growth rate of the contact's motion over the last half of a run, 1/s."""
    world = simulation.world(PERIOD, start=loop.start, parameters={**loop.parameters, "interface.delay": delay})
    world.d[:] = loop.discrete_start()
    run = simulation.continue_run(world, duration, record=[a.position for a in loop.axes], record_period=10 * PERIOD)
    motion = run.values[:, 1:]
    third, last = (np.linalg.norm(part - part.mean(axis=0)) for part in np.array_split(motion, 4)[2:])
    return float(np.log(last / third) / (duration / 4))
