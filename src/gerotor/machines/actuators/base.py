"""What drives a joint: a section of the machine file becomes parts of the system."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gerotor.assembly.system import System
from gerotor.core.component import Component, Expression
from gerotor.hydraulics.oil import Oil
from gerotor.hydraulics.two_bar import TwoBar
from gerotor.machines.schema import ModelSpec
from gerotor.machines.section import Sections
from gerotor.mechanics.rod import Rod


@dataclass(frozen=True)
class Supply:
    """Pressures of the supply and the tank; `nominal` is the supply's as the file gives it."""

    pressure: Expression
    tank: Expression
    nominal: float


@dataclass(frozen=True)
class Mount:
    """Where an actuator sits: the system, its joint, and what the machine offers it.

    `hold` is the generalised force that keeps a locked joint where it is. A cylinder between two frames has
    a `rod` instead of a joint: `joint` is then its own name, `q` and `v` are those of all joints.
    """

    system: System
    sections: Sections
    joint: str
    rotary: bool
    q: Expression
    v: Expression
    oil: Oil | None
    supply: Supply | None
    model: ModelSpec
    hold: Expression
    rod: Rod | None = None

    def triangle(self, section: Mapping[str, Any], key: str, path: str) -> Component:
        """How the cylinder's length follows the motion: the linkage under `key`, or the rod."""
        return self.rod or self.sections.make(TwoBar, section[key], f"{path}.{key}")

    def current(self, rated: Expression) -> Expression:
        """The input `JOINT.i`, a valve's current within its rating."""
        limit = float(rated) if isinstance(rated, int | float) else math.inf
        return self.system.input(f"{self.joint}.i", "A", lower=-limit, upper=limit)

    def add(self, name: str, component: Any) -> Any:
        """A part under the joint's name."""
        return self.system.add(f"{self.joint}.{name}", component)


@dataclass(frozen=True)
class Memory:
    """What a locked joint remembers: inputs that keep outputs as they were when the valve closed.

    `opened` is the output that says the valve is open, `restart` the output with the speed with
    which the joint starts again, `start` gives the kept values that hold a force at a position.
    """

    opened: str
    restart: str
    kept: Mapping[str, str] = field(default_factory=dict)
    start: Callable[[float, float], Mapping[str, float]] = lambda force, q: {}


@dataclass(frozen=True)
class Fitted:
    """An actuator in place: its generalised force, the input that commands it, and the states that hold
    a given force at rest at a joint position. One that locks its joint says when, and what it remembers."""

    force: Expression
    command: str
    hold: Callable[[float, float], Mapping[str, float]]
    locked: Expression = 0
    memory: Memory | None = None


Actuator = Callable[[Mapping[str, Any], Mount, str], Fitted]
