"""Scenes of the forestry crane: the stick on a sine, a loading cycle, shut valves; full and reduced model side by side.

[papadopoulos2002] prints no amplitude, period or gain: 0.3 rad and 20 s are assumed, the controller is the machine's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gerotor.assembly.side_by_side import side_by_side
from gerotor.control.polynomial import quintic
from gerotor.control.reference import rows
from gerotor.control.sample_hold import sample_hold
from gerotor.control.take_up import take_up
from gerotor.core.layout import Entry, Layout
from gerotor.core.ode import Ode
from gerotor.core.sampled import Sampled
from gerotor.core.table import Table
from gerotor.integrators import Integrator
from gerotor.machines import Assembled, load_machine
from gerotor.machines.controllers import controller_of
from gerotor.simulation.recording import Recording
from gerotor.simulation.simulation import Progress, Simulation

Array = NDArray[np.float64]

PERIOD = 0.01
JOINTS = ("swing", "boom", "stick")
LEVERS = tuple(f"{n}.u" for n in JOINTS)
PORTS = tuple(f"{n}.p{k}" for n in JOINTS for k in (1, 2))
POSE = {"swing": 0.0, "boom": 0.35, "stick": -1.2}
STICK_PERIOD = 20.0  # s, assumed
STICK_AMPLITUDE = 0.3  # rad, assumed
LOG = 300.0  # kg
# time, swing, boom, stick: over the log, down to it, lift, to the other side, down to the bunk, back
CYCLE = np.array([
    (0, 0, 0.6, -1.8), (6, 0.9, 0.5, -1.3), (10, 0.9, 0.15, -1.05), (11.5, 0.9, 0.15, -1.05), (15, 0.9, 0.7, -1.7),
    (23, -0.7, 0.7, -1.7), (27, -0.7, 0.35, -1.45), (28.5, -0.7, 0.35, -1.45), (32, -0.7, 0.7, -1.7), (38, 0, 0.6, -1.8),
    (40, 0, 0.6, -1.8),
])
GRIP = (10.5, 27.5)  # s, when the log is taken up and dropped


def crane(lines: str = "full", closure: str = "switched", *, resistance: float | None = None, follower: float | None = None,
          tunable: Sequence[str] = ()) -> Assembled:
    """The crane at one depth of model; `resistance` is that of a closed valve."""
    model: dict[str, Any] = {"lines": lines, "valve_closure": closure}
    if follower is not None:
        model["follower_time"] = f"{follower:g} s"
    changes: dict[str, Any] = {"model": model, "tunable": list(tunable)}
    if resistance is not None:
        valve = {"closed_resistance": f"{resistance:g} Pa*s^2/m^6"}
        changes["joints"] = [{"name": n, "actuator": {"valve": valve}} for n in JOINTS]
    return load_machine("forestry-crane").varied(changes).assemble(positions=("stick", "tip"))


@dataclass
class Scene:
    """One or several cranes with the same set-points, ready to run."""

    ode: Ode
    parts: list[Sampled]
    tables: list[Table]
    start: dict[str, float]
    duration: float
    kernels: dict[str, Simulation] = field(default_factory=dict)

    def simulation(self, method: str | Integrator = "extrapolated", compiled: bool | None = None) -> Simulation:
        key = f"{method} {compiled}"
        if key not in self.kernels:
            self.kernels[key] = Simulation(self.ode, self.parts, self.tables, method, compiled)
        return self.kernels[key]

    def run(self, step: float, *, method: str | Integrator = "extrapolated", duration: float | None = None,
            record: Sequence[str] | None = None, record_period: float = PERIOD, compiled: bool | None = None,
            progress: Progress | None = None) -> Recording:
        return self.simulation(method, compiled).run(
            duration or self.duration, step, start=self.start, record=record, record_period=record_period, progress=progress
        )


def scene(cranes: Mapping[str, Assembled], tables: Sequence[Table], pose: Mapping[str, float], duration: float, *,
          controller: str = "joints", extra: Sequence[Sampled] = (), gauged: bool = True) -> Scene:
    """Closed loops of all cranes in one Ode; a single crane under the key "" keeps its plain names."""
    odes: dict[str, Ode] = {}
    parts: list[Sampled] = []
    start: dict[str, float] = {}
    for key, made in cranes.items():
        prefix = f"{key}." if key else ""
        odes[key] = made.ode()
        gauges = sample_hold("gauges", period=PERIOD, reads=PORTS, holds=Layout(tuple(Entry(f"gauge.{p}", "Pa") for p in PORTS)))
        pid = controller_of(made.machine, controller, LEVERS, "V")
        own = [*extra, gauges, pid] if gauged else [*extra, pid]
        parts += [p.under(prefix, ("ref.", "grip")) for p in made.loop(own, PERIOD, pose)]
        start |= {f"{prefix}{k}": v for k, v in made.rest(pose).items()}
    ode = odes[""] if "" in odes else side_by_side("forestry-crane, " + " and ".join(odes), odes)
    return Scene(ode, parts, list(tables), start, duration)


def sine_table(duration: float) -> Table:
    """Stick on a sine, the other joints held."""
    t = np.arange(round(duration / PERIOD) + 1) * PERIOD
    stick = POSE["stick"] + STICK_AMPLITUDE * np.sin(2 * np.pi * t / STICK_PERIOD)
    return set_points(np.column_stack([0 * t + POSE["swing"], 0 * t + POSE["boom"], stick]))


def stick_sine(cranes: Mapping[str, Assembled], duration: float = 40.0, *, gauged: bool = True) -> Scene:
    """Figs. 5 and 8 to 11 of the source; `gauged` reads all pressures at every sample."""
    return scene(cranes, [sine_table(duration)], POSE, duration, gauged=gauged)


def loading_cycle(cranes: Mapping[str, Assembled], controller: str = "loaded") -> Scene:
    """All three joints move: a log is taken up on one side and dropped on the other."""
    path = quintic(CYCLE[:, 0].tolist(), CYCLE[:, 1:], stop=True)
    duration = float(CYCLE[-1, 0])
    t = np.arange(round(duration / PERIOD) + 1) * PERIOD
    grip = Table("grip", PERIOD, ((t >= GRIP[0]) & (t < GRIP[1])).astype(float)[:, None], Layout.of(grip="1"))
    grapple = take_up("grapple", period=PERIOD, command="grip", mass_signal="log.mass", mass=LOG, time=0.5)
    pose = dict(zip(JOINTS, CYCLE[0, 1:].tolist(), strict=True))
    return scene(cranes, [set_points(rows(path, PERIOD)), grip], pose, duration, controller=controller, extra=[grapple])


def set_points(values: Array) -> Table:
    return Table("reference", PERIOD, values, Layout(tuple(Entry(f"ref.q.{n}", "rad") for n in JOINTS)))


def rms(x: Any) -> float:
    return float(np.sqrt(np.mean(np.square(x))))
