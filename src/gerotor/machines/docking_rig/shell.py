"""The computer's side of the rig as a machine of its own: its readings are inputs, for a run split over two processes."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.assembly.system import System
from gerotor.core.component import Component, Signals, signals
from gerotor.core.ode import Ode
from gerotor.machines.docking_rig.parameters import SETTINGS, declare
from gerotor.machines.docking_rig.values import RigFile

LEGS = tuple(str(k + 1) for k in range(6))
READINGS = (
    *((f"platform.l.{n}", "m") for n in LEGS), *((f"platform.l_rate.{n}", "m/s") for n in LEGS),
    *((f"sensor.s.{n}", "N") for n in ("fx", "fy", "fz")), *((f"sensor.s.{n}", "N m") for n in ("mx", "my", "mz")),
)


@dataclass(frozen=True, kw_only=True)
class Clock(Component):
    """Time as a state: t' = 1 (1). Source: definition."""

    states = signals(t="s")

    def derivative(self, x: Signals, u: Signals) -> Signals:
        return Signals(t=1)  # (1)


def computer_shell(rig: RigFile) -> Ode:
    """Inputs: what the computer reads from the physical half, and its settings. Everything else is in the sampled part."""
    system = System(f"{rig.name}.computer")
    declare(system, "dynamics")
    system.add("clock", Clock())
    for name, unit in READINGS:
        system.input(name, unit)
    for setting in SETTINGS:
        system.input(setting.name, setting.unit, start=setting.start)
    return system.ode()
