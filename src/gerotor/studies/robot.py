"""Scenes of the electric robot: a straight line with a vertical welding head, non-linear or by perturbation.

[aarts2004] prints neither path nor speeds. Assumed: 1.25 m across the front of the robot at 250 mm/s and
1 m/s^2, placed so that joints 2 and 3 reverse at 600 mm, as the source says of its own.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gerotor.control.line import Line, line
from gerotor.core.table import Table
from gerotor.machines import Machine
from gerotor.machines.servo import holding_load, servo_of, setpoints
from gerotor.mechanics.elbow_arm import ElbowArm
from gerotor.mechanics.joint_motion import JointMotion
from gerotor.reduction.perturbation import Perturbation, perturb
from gerotor.reduction.perturbed import perturbed
from gerotor.simulation.recording import Recording
from gerotor.simulation.simulation import Simulation

Array = NDArray[np.float64]

STEP = 0.25e-3  # s, the fast loop's period [aarts2004, sec. 5]
SAMPLE = 1e-3  # s, set-points and recording
START, END = (0.50, -0.60, 0.25), (0.50, 0.65, 0.25)
SPEED, ACCELERATION, REST = 0.25, 1.0, 0.3
DOWN = np.diag([-1.0, 1.0, -1.0])  # the head's attitude: its axis points at the floor
LINEARISED = ("arm", "spring")
TIP = ("arm.tip.x", "arm.tip.y", "arm.tip.z")
CURRENTS = tuple(f"j{k}.i" for k in range(1, 7))


@dataclass(frozen=True, eq=False)
class Scene:
    """The robot on the line; `jerk` makes the speed profile smooth."""

    machine: Machine
    jerk: float | None = None
    method: str = "extrapolated"

    @cached_property
    def path(self) -> Line:
        return line(START, END, speed=SPEED, acceleration=ACCELERATION, jerk=self.jerk)

    @cached_property
    def motion(self) -> JointMotion:
        arm = ElbowArm.of(self.machine.tree, "tip")
        return JointMotion(self.machine.tree, "tip", self.path, lambda p: arm.along(p, DOWN))

    @property
    def until(self) -> float:
        """A whole number of samples, some rest after the motion."""
        return SAMPLE * float(np.ceil((self.path.duration + REST) / SAMPLE - 1e-9))

    @cached_property
    def start(self) -> Array:
        return np.asarray(self.motion.at([0.0])[0][0])

    @cached_property
    def load(self) -> Array:
        """Torque that holds the arm at the start, with which integrators and currents begin."""
        return holding_load(self.machine, self.start)

    @cached_property
    def _setpoints(self) -> Table:
        return setpoints(self.machine, "servo", self.motion, self.until)

    @cached_property
    def nonlinear(self) -> Simulation:
        """The whole robot."""
        ode = self.machine.assemble(positions=("tip",)).ode()
        return Simulation(ode, servo_of(self.machine, "servo", self.load), [self._setpoints], self.method)

    def preprocess(self, points: int, split: bool = True) -> tuple[Perturbation, float]:
        """The record of a perturbation and the seconds it took."""
        began = time.perf_counter()
        system = self.machine.assemble(positions=("tip",)).system
        record = perturb(system, LINEARISED, self.motion, points=points, until=self.until, split=split)
        return record, time.perf_counter() - began

    def perturbation(self, record: Perturbation) -> Simulation:
        """The robot with linear equations about its nominal motion; friction and control as they are."""
        made = perturbed(self.machine.assemble(positions=("tip",)).system, record, hold=SAMPLE)
        parts = [*made.coupling, *servo_of(self.machine, "servo", self.load)]
        return Simulation(made.system.ode(), parts, [self._setpoints, *made.tables], self.method)

    def run(self, simulation: Simulation, record: Sequence[str] = (*TIP, *CURRENTS), step: float = STEP) -> Recording:
        """The path and the rest after it."""
        at = {f"arm.q.{j}": float(q) for j, q in zip(self.machine.tree.names, self.start, strict=True)}
        start = at if "arm.q.j1" in simulation.ode.states else None
        return simulation.run(self.until, step, start=start, record=list(record), record_period=SAMPLE)

    def deviation(self, recording: Recording) -> Array:
        """Tip minus set-point, rows x (x: across the line, y: along it, z: vertical), in m."""
        wanted = np.asarray(self.path.position(recording.time))
        return np.asarray(np.stack([recording[name] for name in TIP], axis=1) - wanted)

    def along(self, recording: Recording) -> Array:
        """Distance of the set-point along the line, m."""
        return np.asarray(self.path.profile.position(recording.time))
