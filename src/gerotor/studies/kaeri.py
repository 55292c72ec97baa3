"""Scenes of the hydraulic pipe-cutting arm: valves driven open, a circle, a cut.

What [kim2021] gives is used as printed; what it leaves open is assumed here, once, with the reason.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from gerotor.contact.held_cut import held_cut
from gerotor.contact.kerf import kerf
from gerotor.contact.pipe_cut import PipeCut
from gerotor.control.circle import circle
from gerotor.control.line import line
from gerotor.core.component import check_range
from gerotor.core.layout import Entry, Layout
from gerotor.core.ode import Ode
from gerotor.core.sampled import Sampled
from gerotor.core.table import Table
from gerotor.errors import ParameterError
from gerotor.integrators import Integrator
from gerotor.machines import Assembled, Machine, load_machine
from gerotor.machines.controllers import controller_of
from gerotor.machines.kaeri_arm.pipe import CUT_LENGTH, CUT_PITCH, CUT_START, OPEN_LOOP_START, PIPE_CUT
from gerotor.simulation.recording import Recording
from gerotor.simulation.reference import attitude, path_table
from gerotor.simulation.simulation import Progress, Simulation

Array = NDArray[np.float64]

SAMPLE = 0.01  # s, control and recording [kim2021, section IV-B]
JOINTS = tuple(f"arm.q.j{k}" for k in range(1, 7))
TOOL = ("arm.tcp.x", "arm.tcp.y", "arm.tcp.z")
TARGET = ("ref.tcp.x", "ref.tcp.y", "ref.tcp.z")
CUTTING = ("saw.F.y", "saw.F.z", "saw.M", "saw.n", "saw.P", "kerf.cut_area", "kerf.fraction")

CIRCLE_PITCH = math.radians(-40)  # assumed, with centre and plane: the source's y error is by far the smallest
CIRCLE_CENTRE = (0.0, 3.0, -0.9)


@dataclass(frozen=True)
class Scene:
    """A machine with its task, ready to be run with any integrator."""

    machine: Machine
    ode: Ode
    parts: tuple[Sampled, ...]
    table: Table
    start: dict[str, float]
    duration: float
    record: tuple[str, ...]

    def simulation(self, method: str | Integrator = "extrapolated") -> Simulation:
        return Simulation(self.ode, self.parts, [self.table], method)

    def run(self, method: str | Integrator, step: float, duration: float | None = None, *, record: Sequence[str] | None = None,
            record_period: float = SAMPLE, progress: Progress | None = None) -> Recording:
        """One run, recorded at the control rate; facts["cpu"] is the time it took on its core, in s."""
        simulation = self.simulation(method)
        began = time.thread_time()
        made = simulation.run(
            duration or self.duration, step, start=self.start, record=list(record or self.record),
            record_period=record_period, progress=progress,
        )
        made.facts["cpu"] = time.thread_time() - began
        return made


def open_loop_scene(joint: str, *, machine: str = "kaeri-arm", amplitude: float = 0.01, duration: float = 10.0) -> Scene:
    """One valve driven by amplitude (A) times sin(pi t), the others shut. Source: [kim2021, eq. 29]."""
    made, ode = _free_arm(machine)
    command = made.actuators[joint].command
    rated = ode.inputs.entries[ode.inputs.index(command)].upper
    check_range(f"current amplitude of {joint}", amplitude, "A", {"least": -rated, "most": rated})
    period = 1e-3
    times = np.arange(round(duration / period) + 1) * period
    rows = (amplitude * np.sin(np.pi * (times + period / 2)))[:, None]
    table = Table("current", period, rows, Layout((Entry(command, "A"),)))
    return Scene(made.machine, ode, (), table, made.rest(OPEN_LOOP_START), duration, JOINTS)


def circle_scene(machine: str = "kaeri-arm", *, duration: float = 60.0, radius: float = 0.3) -> Scene:
    """The tool on a circle in the x-z plane, 7.5 deg/s after a soft start of 2 s. Source: [kim2021, section IV-B]."""
    path = circle(CIRCLE_CENTRE, radius, first=(1, 0, 0), second=(0, 0, 1), speed=math.radians(7.5), duration=duration, rise=2.0)
    made, ode = _free_arm(machine)
    arm = made.machine
    table, q = path_table(arm, "tcp", path, SAMPLE, duration, rotation=attitude(arm, "tcp", (CIRCLE_PITCH, 0, 0)))
    pid = controller_of(arm, "circle", [a.command for a in made.actuators.values()], "A")
    rest = made.rest(dict(zip(arm.tree.names, q, strict=True)))
    return Scene(arm, ode, (pid,), table, rest, duration, JOINTS + TOOL + TARGET)


def cut_scene(
    machine: str = "kaeri-arm", *, period: float, cut: PipeCut = PIPE_CUT, start: tuple[float, float, float] = CUT_START,
    length: float = CUT_LENGTH, duration: float | None = None, saw_torque: bool = False,
) -> Scene:
    """The saw fed through the pipe in a straight line. Source: [kim2021, section IV-C].

    The cutting force is held over `period` (the step of the run, or a multiple of it) as the mean of what the
    passing teeth do, see contact/held_cut.py. `duration` ends the run early; `saw_torque` adds the saw's reaction
    moment, which the source drops.
    """
    if cut.feed_speed is None:
        raise ParameterError("cut.feed_speed: the scene follows a commanded feed; give its speed")
    cut.travel(start[1:], length)
    direction = np.array([0.0, math.cos(cut.feed_angle), math.sin(cut.feed_angle)])
    path = line(start, (np.array(start) + length * direction).tolist(), speed=cut.feed_speed)
    duration = min(duration or path.duration, path.duration)
    made, ode = _sawing_arm(machine, saw_torque)
    arm = made.machine
    table, q = path_table(arm, "tcp", path, SAMPLE, duration, rotation=attitude(arm, "tcp", (CUT_PITCH, 0, 0)))
    pid = controller_of(arm, "cut", [a.command for a in made.actuators.values()], "A")
    slot = kerf("kerf", cut, period=10 * SAMPLE, centre=TOOL[1:], band=2e-4)
    saw = held_cut("saw", cut, period=period, centre=TOOL[1:], gate="kerf.gate")
    rest = made.rest(dict(zip(arm.tree.names, q, strict=True)))
    return Scene(arm, ode, (pid, slot, saw), table, rest, duration, JOINTS + TOOL + TARGET + CUTTING)


@lru_cache(maxsize=4)
def _free_arm(machine: str) -> tuple[Assembled, Ode]:
    made = load_machine(machine).assemble(positions=("tcp",))
    return made, made.ode()


@lru_cache(maxsize=4)
def _sawing_arm(machine: str, saw_torque: bool) -> tuple[Assembled, Ode]:
    """The arm with the saw's force at the tool point as inputs."""
    made = load_machine(machine).assemble(positions=("tcp",), wrenches=("tcp",))
    F = [made.system.input(f"saw.F.{axis}", "N") for axis in "yz"]
    M = made.system.input("saw.M", "N*m")
    made.arm.connect(wrench_tcp=ca.vertcat(0, *F, M if saw_torque else 0, 0, 0))
    return made, made.ode()


def at_samples(run: Recording) -> Recording:
    """The rows at control samples: in between, the held target lags a moving tool by up to a sample."""
    every = max(1, round(SAMPLE / (run.time[1] - run.time[0])))
    return Recording(run.names, run.units, run.values[::every], run.facts)


def tracking(run: Recording, since: float = 0.0) -> Array:
    """RMS distance of the tool from its target per axis at control samples, in m."""
    run = at_samples(run)
    late = run.time >= since
    error = np.array([run[a] - run[b] for a, b in zip(TOOL, TARGET, strict=True)])[:, late]
    return np.asarray(np.sqrt(np.mean(error**2, axis=1)))


def joint_error(run: Recording, reference: Recording) -> float:
    """RMS over joints (rad, m) and time of the difference of two runs, at the reference's end at most."""
    n = min(len(run), len(reference))
    difference = np.array([run[j][:n] - reference[j][:n] for j in JOINTS])
    return float(np.sqrt(np.mean(difference**2)))

