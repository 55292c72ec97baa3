"""A machine under assembly: the system its file becomes, and the states and commands to start it with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import casadi as ca

from gerotor.assembly.equilibrium import equilibrium
from gerotor.assembly.system import Part, System
from gerotor.core.ode import Ode
from gerotor.core.sampled import Sampled
from gerotor.errors import NoSolutionError
from gerotor.machines.actuators import Fitted
from gerotor.machines.closed import closed_rest
from gerotor.machines.locking import resting_forces, with_memory
from gerotor.mechanics.lugre import LuGre

if TYPE_CHECKING:
    from gerotor.machines.machine import Machine


@dataclass
class Assembled:
    """A machine under assembly: connect what a scenario adds, then ask for the Ode."""

    machine: Machine
    system: System
    arm: Part
    actuators: dict[str, Fitted] = field(default_factory=dict)
    cylinders: dict[str, Fitted] = field(default_factory=dict)  # between two frames, by name

    def ode(self) -> Ode:
        """The finished Ode; wrenches nobody connected are zero."""
        for name in self.arm.unconnected:
            self.arm.connect(**{name: ca.SX.zeros(6)})
        return self.system.ode()

    @property
    def driven(self) -> dict[str, str]:
        """The input that commands each driven joint."""
        if self.machine.drives is not None:
            return {n: f"{n}.i" for n in self.machine.tree.names}
        own = {n: a.command for n, a in self.actuators.items() if a.command}
        return own | {c.joint: self.cylinders[c.name].command for c in self.machine.file.cylinders if c.joint}

    @property
    def levers(self) -> list[str]:
        """Every commanding input, also of a cylinder that no joint is assigned to."""
        if self.machine.drives is not None:
            return list(self.driven.values())
        return [a.command for a in (*self.actuators.values(), *self.cylinders.values()) if a.command]

    @property
    def commands(self) -> list[str]:
        """The input that commands each joint, empty where none does."""
        return [self.driven.get(n, "") for n in self.machine.tree.names]

    def rest(self, q: Mapping[str, float] | None = None) -> dict[str, float]:
        """Start values at joint positions `q` (others 0 or the nearest allowed), at rest, actuators holding gravity."""
        tree = self.machine.tree
        if self.machine.file.loops or self.cylinders:
            try:
                return self.balance(q)
            except NoSolutionError:  # valves that leak: the states of the balance that their commands would keep
                return {n: v for n, v in self.balance(q, free_inputs=self.levers).items() if n not in self.levers}
        position = self.machine.joint_positions(q)
        needed = resting_forces(tree, position)
        out = {f"arm.q.{n}": float(v) for n, v in zip(tree.names, position, strict=True)}
        for name, force, angle in zip(tree.names, needed, position, strict=True):
            if name in self.actuators:
                out |= self.actuators[name].hold(float(force), float(angle))
        return out

    def loop(self, controllers: Sequence[Sampled], period: float, q: Mapping[str, float] | None = None) -> list[Sampled]:
        """The controllers, between the parts that locked joints need, if there are any.

        Before the controllers: what each actuator was like when its valve closed (at the start: at
        rest at `q`). After them: the speed with which each joint would start again.
        """
        return with_memory(self.machine.tree, self.actuators, controllers, period, self.machine.joint_positions(q))

    def balance(self, q: Mapping[str, float] | None = None, given: Mapping[str, float] | None = None,
                free_inputs: Sequence[str] = ()) -> dict[str, float]:
        """Start values at rest in balance, found on the equations of the whole machine: joints at `q`, states
        `given` kept at their values, all other states (and inputs named free) as the balance needs, as near as
        it can be to the actuators' usual pressures."""
        ode = self.ode()
        if self.machine.file.loops:
            held = closed_rest(self.machine.file, self.machine.tree, self.arm.component, q)
        else:
            held = {f"arm.q.{n}": float(v) for n, v in zip(self.machine.tree.names, self.machine.joint_positions(q), strict=True)}
        usual = [f.hold(0.0, 0.0) for f in (*self.actuators.values(), *self.cylinders.values())]
        start = {k: v for part in usual for k, v in part.items() if k in ode.states} | held | dict(given or {})
        keep = [n for n in held if n.startswith("arm.q.")] + list(given or {})
        return equilibrium(ode, start=start, hold=keep, free_inputs=free_inputs)

    def trim(self, q: Mapping[str, float] | None = None) -> dict[str, float]:
        """Start values and commands with which the machine stands still at `q`, no friction helping: what leaks, the
        valves make up for. Where it cannot stand still (a pendulum off its lowest point), as `rest`."""
        unbent = {f"{n}.z": 0.0 for n, part in self.system.parts.items() if isinstance(part.component, LuGre)}
        try:
            found = self.balance(q, unbent, self.levers)
        except NoSolutionError:
            return self.rest(q)
        limits = [e for e in self.system.inputs if e.name in self.levers]
        return found if all(e.lower <= found[e.name] <= e.upper for e in limits) else self.rest(q)
