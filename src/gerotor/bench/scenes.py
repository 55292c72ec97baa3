"""The run that a bench gives a machine: the circle of [kim2021] for its arm, an open-loop sine for any other.

Open loop, every command c of a machine, from rest in the middle of its joint ranges:

    c(t) = c_hold + c_top / 2 sin(2 pi f t)                                               (1)

c_top is the command's rating (a valve's largest signal, a quarter of a motor's largest current, a fifth of the largest
joint force at rest); c_hold carries gravity where the command is a current or a force, and is 0 for a valve.
"""

from __future__ import annotations

import math

import numpy as np

from gerotor.core.layout import Layout
from gerotor.core.table import Table
from gerotor.errors import InputError
from gerotor.machines import load_machine
from gerotor.machines.assembled import Assembled
from gerotor.machines.locking import resting_forces
from gerotor.machines.servo import holding_load
from gerotor.studies.kaeri import SAMPLE, Scene, circle_scene

CIRCLES = ("kaeri-arm", "kaeri-arm-250", "kaeri-arm-n")
FREQUENCY = 0.5  # Hz


def bench_scene(name: str, duration: float | None = None) -> tuple[Scene, str]:
    """A machine's run, and what it is in a few words."""
    if name in CIRCLES:
        return circle_scene(name, duration=duration or 6.0), "circle"
    return open_loop(name, duration or 2.0), "open-loop sine on every command"


def open_loop(name: str, duration: float) -> Scene:
    """The scene by (1)."""
    machine = load_machine(name)
    made = machine.assemble()
    ode = made.ode()
    q = None if machine.file.loops else {
        j.name: (j.lower + j.upper) / 2 for j in machine.tree.moving if math.isfinite(j.lower) and math.isfinite(j.upper)
    }
    waves = _waves(made, q)
    if not waves:
        raise InputError(f"{machine.name} has no command to drive: give a joint an actuator")
    times = SAMPLE * np.arange(round(duration / SAMPLE) + 1)
    rows = [hold + top / 2 * np.sin(2 * math.pi * FREQUENCY * times) for hold, top in waves.values()]  # (1)
    commands = Layout(tuple(ode.inputs.entries[ode.inputs.index(c)] for c in waves))
    joints = tuple(n for n in ode.states.names if n.startswith("arm.q."))
    table = Table("command", SAMPLE, np.stack(rows, axis=1), commands)
    return Scene(machine, ode, tuple(made.loop([], SAMPLE, q)), table, made.rest(q), duration, joints)


def _waves(made: Assembled, q: dict[str, float] | None) -> dict[str, tuple[float, float]]:
    """(c_hold, c_top) of each command."""
    machine, inputs = made.machine, {e.name: e for e in made.ode().inputs}
    waves = {a.command: (0.0, float(inputs[a.command].upper)) for a in made.actuators.values() if a.command in inputs}
    position = machine.joint_positions(q)
    if machine.drives is not None:
        held = machine.drives.motor_loads(holding_load(machine, position)) / machine.drives.force
        limits = zip(machine.tree.names, held, machine.drives.max_current, strict=True)
        waves |= {f"{n}.i": (float(i), top / 4) for n, i, top in limits}
    forces = resting_forces(machine.tree, position)
    top = max(1.0, float(np.abs(forces).max()) / 5)
    waves |= {f"{n}.tau": (float(f), top) for n, f in zip(machine.tree.names, forces, strict=True) if f"{n}.tau" in inputs}
    return waves
