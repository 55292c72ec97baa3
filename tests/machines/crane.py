"""Runs of the crane shared by its tests."""

from functools import lru_cache

import numpy as np

from gerotor.assembly.side_by_side import side_by_side
from gerotor.control.sample_hold import sample_hold
from gerotor.core.layout import Entry, Layout
from gerotor.core.table import Table
from gerotor.machines import load_machine
from gerotor.machines.controllers import controller_of
from gerotor.simulation.recording import Recording
from gerotor.simulation.simulation import Simulation

JOINTS = ("swing", "boom", "stick")
POSE = {"swing": 0.0, "boom": 0.35, "stick": -1.2}
LEVERS = [f"{n}.u" for n in JOINTS]
PRESSURES = [f"{n}.p{k}" for n in JOINTS for k in (1, 2)]


def table(rows, names, unit="V", period=0.01, name="levers"):
    return Table(name, period, np.asarray(rows, dtype=float), Layout(tuple(Entry(n, unit) for n in names)))


def assembled(lines="full", closure="switched", resistance=None):
    changes = {"model": {"lines": lines, "valve_closure": closure}}
    if resistance is not None:
        valve = {"closed_resistance": f"{resistance:g} Pa*s^2/m^6"}
        changes["joints"] = [{"name": n, "actuator": {"valve": valve}} for n in JOINTS]
    return load_machine("forestry-crane").varied(changes).assemble(positions=("tip",))


def gauges():
    return sample_hold("gauges", period=0.01, reads=PRESSURES, holds=Layout(tuple(Entry(f"gauge.{n}", "Pa") for n in PRESSURES)))


@lru_cache
def levers_simulation(lines, closure="switched", resistance=None, method="sdirk2"):
    """The crane under lever commands from a table, and its resting start."""
    a = assembled(lines, closure, resistance)
    commands = table(np.zeros((1, 3)), LEVERS)
    return a, Simulation(a.ode(), a.loop([gauges()], 0.01, POSE), [commands], method)


@lru_cache
def both(duration: float = 24.0) -> Recording:
    """Full and reduced model in one run, stick following 0.3 sin(2 pi t / 20), the others held."""
    odes, parts, start = {}, [], {}
    for lines in ("full", "reduced"):
        a = assembled(lines)
        odes[lines] = a.ode()
        controller = controller_of(a.machine, "joints", LEVERS, "V")
        parts += [p.under(f"{lines}.", ("ref.",)) for p in a.loop([gauges(), controller], 0.01, POSE)]
        start |= {f"{lines}.{k}": v for k, v in a.rest(POSE).items()}
    t = np.arange(0, duration + 0.01, 0.01)
    rows = np.column_stack([0 * t, 0 * t + 0.35, -1.2 + 0.3 * np.sin(2 * np.pi * t / 20)])
    reference = table(rows, [f"ref.q.{n}" for n in JOINTS], "rad", name="reference")
    return Simulation(side_by_side("both", odes), parts, [reference]).run(duration, 1e-3, start=start, record_period=0.01)
