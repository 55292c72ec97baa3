"""What drives a joint: a section of the machine file becomes parts of the system."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gerotor.assembly.system import System
from gerotor.core.component import Expression
from gerotor.hydraulics.oil import Oil
from gerotor.machines.section import Sections


@dataclass(frozen=True)
class Supply:
    """Pressures of the supply and the tank."""

    pressure: Expression
    tank: Expression


@dataclass(frozen=True)
class Mount:
    """Where an actuator sits: the system, its joint, and what the machine offers it."""

    system: System
    sections: Sections
    joint: str
    rotary: bool
    q: Expression
    v: Expression
    oil: Oil | None
    supply: Supply | None

    def add(self, name: str, component: Any) -> Any:
        """A part under the joint's name."""
        return self.system.add(f"{self.joint}.{name}", component)


@dataclass(frozen=True)
class Fitted:
    """An actuator in place: its generalised force, the input that commands it, and the states that hold
    a given force at rest."""

    force: Expression
    command: str
    hold: Callable[[float], Mapping[str, float]]


Actuator = Callable[[Mapping[str, Any], Mount, str], Fitted]
