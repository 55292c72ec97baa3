"""Faults with known truth, and what a filter that starts from the healthy machine sees of them.

The filter estimates the states, the bulk modulus, a leak across the piston and the 16 ordinates;
its model knows no fault. A fault that is one of its unknowns is found there; one that is not (air,
a stuck spool) shows as innovations larger than they should be, or moves an unknown that can mimic it.
One seed each: these are demonstrations, not detection rates.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from gerotor.core.layout import Entry, Layout
from gerotor.core.table import Table
from gerotor.estimation.filter import Filter
from gerotor.estimation.unknown import Measured, Unknown
from gerotor.machines.assembled import Assembled
from gerotor.simulation.simulation import Simulation
from gerotor.studies.base import Watch
from gerotor.studies.valve_curve.twin import (
    ATMOSPHERE,
    CURVES,
    DURATION,
    LENGTH,
    PORTS,
    PRESSURES,
    SITES,
    STEP,
    TOP,
    TUNED,
    Twin,
    ordinate,
    variant,
)

LEAK = "crank.actuator.leakage.conductance"
MODULUS = "oil.bulk_modulus"
STUCK = 0.9  # s, after which the stuck spool keeps its place
NAMES = ("healthy", "worn edge", "internal leak", "air in the oil", "stuck spool")


@dataclass(frozen=True)
class Fault:
    """A scenario: what is true, how far unknowns moved in standard deviations, mean NIS a signal and its limit."""

    name: str
    truth: str
    worn: float  # c_1 of port a
    worn_std: float
    leak: float
    leak_std: float
    modulus: float
    modulus_std: float
    nis: float
    limit: float
    largest: str  # the unknown that left its start by most standard deviations
    deviations: float

    @property
    def seen(self) -> str:
        """What an operator would be told."""
        told = []
        if self.nis > self.limit:
            told.append(f"innovations squared {self.nis:.2f} of what they should be: the model does not fit")
        if self.leak > 4 * self.leak_std:
            told.append(f"leak of {self.leak:.2g} m^3/s/Pa")
        if abs(self.worn - CURVES[2][6][0]) > 4 * self.worn_std:
            told.append(f"port a passes {self.worn:.3f} instead of {CURVES[2][6][0]:.3f} at 20 % spool")
        if abs(self.modulus - 1.6e9) > 4 * self.modulus_std:
            told.append(f"bulk modulus {self.modulus / 1e9:.2f} GPa instead of 1.60 GPa")
        return "; ".join(told) or "nothing unusual"


def _machine(**over: Any) -> Assembled:
    curve = [0.0, *CURVES[2][6], TOP]
    edges: dict[str, Any] = {edge: {"sites": list(SITES[6]), "ordinates": curve} for edge in PORTS.values()}
    if "worn" in over:
        edges[PORTS["a"]] = {"sites": list(SITES[6]), "ordinates": [0.0, *over["worn"], TOP]}
    leakage = {"conductance": over.get("leak", "0 m^3/s/Pa"), "source": "fault scenario"}
    changes: dict[str, Any] = {"joints": [{"name": "crank", "actuator": {"valve": edges, "leakage": leakage}}]}
    if "air" in over:
        changes["oil"] = {"air_share": over["air"]}
    if over.get("tunable"):
        changes["tunable"] = [MODULUS, LEAK, *[ordinate(p, k) for p in PORTS for k in range(1, 5)]]
    return variant(changes).assemble()


def monitor() -> tuple[Filter, dict[str, float]]:
    """The filter of a healthy machine, and its start."""
    made = _machine(tunable=True)
    unknowns = [
        Unknown(name="arm.q.crank", std=2e-3), Unknown(name="arm.v.crank", std=1e-3, noise=math.sqrt(1e-6) / 0.5),
        *[Unknown(name=n, std=1e5, noise=math.sqrt(1e2 / STEP)) for n in PRESSURES],
        Unknown(name=MODULUS, std=5e7, lower=1e7), Unknown(name=LEAK, std=5e-12),
        *[Unknown(name=ordinate(p, k), std=0.05) for p in PORTS for k in range(1, 5)],
    ]
    s, p, _ = TUNED.sensors
    measured = [Measured(name=LENGTH, std=s), *[Measured(name=n, std=p, offset=ATMOSPHERE) for n in PRESSURES[:2]]]
    return Filter(made.ode(), unknowns, measured, period=STEP), made.balance(given={"crank.side_1.p": 1e6})


def find_faults(watch: Watch, names: tuple[str, ...] = NAMES) -> list[Fault]:
    """The scenarios named."""
    progress, began = watch.stage("faults", len(names) * DURATION), time.perf_counter()
    twin = Twin(6)
    healthy, (made, start) = _machine(), monitor()
    plants: dict[str, tuple[Assembled, Any, str]] = {
        "healthy": (healthy, twin.command, "none"),
        "worn edge": (_machine(worn=(0.12, 0.20, 0.53, 0.85)), twin.command, "port a: 0.12 instead of 0.06 at 20 % spool"),
        "internal leak": (_machine(leak="1e-11 m^3/s/Pa"), twin.command, "1e-11 m^3/s/Pa across the piston"),
        "air in the oil": (_machine(air=0.02), twin.command, "2 % free air by volume"),
        "stuck spool": (healthy, np.where(twin.times[:, None] > STUCK, twin.command[round(STUCK / STEP)], twin.command),
                        f"spool keeps its place from {STUCK} s on"),
    }
    out = []
    for k, name in enumerate(names, 1):
        plant, command, truth = plants[name]
        table = Table("command", STEP, command, Layout((Entry("crank.u"),)))
        duration = DURATION if name != "stuck spool" else 2.0  # before 4 s the piston side would cavitate
        run = Simulation(plant.ode(), tables=[table], method="trapezoid").run(
            duration, STEP, start=start, record=[LENGTH, *PRESSURES], record_period=STEP,
        )
        rows = len(run)
        rng = np.random.default_rng(7)
        o = np.column_stack([run[LENGTH], *[run[n] - ATMOSPHERE for n in PRESSURES[:2]]])
        o += rng.normal(size=o.shape) * np.array(TUNED.sensors)
        found = made.run(twin.times[:rows], twin.command[:rows], o, start=start)
        final, first = found.final(), {u.name: u.std for u in made.model.unknowns}
        begun = {**{n: CURVES[2][6][i] for p in PORTS for i, n in enumerate(ordinate(p, j) for j in range(1, 5))},
                 MODULUS: 1.6e9, LEAK: 0.0}
        moved = {n: abs(final[n][0] - begun[n]) / final[n][1] for n in begun if final[n][1] < first[n]}
        largest = max(moved, key=lambda n: moved[n])
        nis, _, limit = found.consistency(0.1)
        ends = (*final[ordinate("a", 1)], *final[LEAK], *final[MODULUS])
        out.append(Fault(name, truth, *ends, nis, limit, largest, moved[largest]))
        progress(k * DURATION, time.perf_counter() - began)
    return out
