"""What all joints driven through lines and a closing valve share: depth of model, lines, what the joint gets."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, TypeVar

import casadi as ca

from gerotor.assembly.system import Part, System
from gerotor.core.component import Component, Expression
from gerotor.errors import ParameterError
from gerotor.hydraulics.check_valve import CheckValve
from gerotor.hydraulics.resistance_valve import ResistanceValve
from gerotor.hydraulics.resistive_line import ResistiveLine
from gerotor.hydraulics.switched_chamber import SwitchedChamber
from gerotor.hydraulics.switched_line import SwitchedLine

LINES = ("full", "reduced", "none")
CLOSURES = ("switched", "max-resistance")
T = TypeVar("T", bound=Component)


@dataclass(frozen=True)
class Depth:
    """How deep the hydraulics are modelled.

    lines            full: inertance, capacitance, resistance; reduced: resistance only, a joint is
                     locked while its valve is closed; none: capacitance only, valve at the actuator
    valve_closure    switched: closed-valve equations while the valve is closed; max-resistance: the
                     open-valve equations throughout, the closed valve leaks
    """

    lines: Literal["full", "reduced", "none"] = "full"
    valve_closure: Literal["switched", "max-resistance"] = "switched"

    def __post_init__(self) -> None:
        for key, known in (("lines", LINES), ("valve_closure", CLOSURES)):
            if getattr(self, key) not in known:
                raise ParameterError(f"{key} = {getattr(self, key)!r}: must be one of {', '.join(known)}")

    @property
    def switched(self) -> bool:
        return self.valve_closure == "switched"

    @property
    def locks(self) -> bool:
        """Whether joints are locked while their valves are closed."""
        return self.lines == "reduced" and self.switched


@dataclass(frozen=True)
class Site:
    """Where a drive is built: in which system, under which name, how deep, between which pressures."""

    system: System
    prefix: str
    depth: Depth
    supply: Expression
    tank: Expression


@dataclass(frozen=True)
class Joint:
    """The joint a drive works on: its angle, speed and the torque that holds it where it is."""

    q: Expression
    v: Expression
    hold: Expression


@dataclass(frozen=True)
class Driven:
    """What a drive gives to its joint: torque, and 1 while its valve is open."""

    torque: Expression
    opened: Expression


@dataclass(frozen=True)
class Port:
    """A line under construction: the source behind the orifice and what the actuator takes."""

    name: str
    source: Expression
    flow: Expression


@dataclass(frozen=True, kw_only=True)
class LineDrive:
    """Valve and two equal lines of one joint's drive.

    `make_up` lets oil in from the tank where a line's pressure falls below the tank's.
    """

    joint: str
    valve: ResistanceValve
    line: SwitchedLine
    make_up: CheckValve | None = None

    def add_valve(self, site: Site) -> tuple[Part, Expression]:
        """The valve under the command `prefix.u`, and whether it is open."""
        u = site.system.input(f"{site.prefix}.u", "V")
        valve = site.system.add(f"{site.prefix}.valve", self.valve).connect(u=u, ps=site.supply, pt=site.tank)
        return valve, valve.opened if site.depth.switched else ca.SX(1)

    def add_line(self, site: Site, port: Port, valve: Part, opened: Expression) -> Part:
        """A line with its storage states, or without (reduced)."""
        name = f"{site.prefix}.{port.name}"
        if site.depth.lines == "reduced":
            return site.system.add(name, like(ResistiveLine, self.line)).connect(p0=port.source, R=valve.R, Qa=port.flow)
        line = site.system.add(name, self.line if site.depth.lines == "full" else like(SwitchedChamber, self.line))
        taken = port.flow
        if self.make_up is not None:
            taken = taken - site.system.add(f"{name}.make_up", self.make_up).connect(p1=site.tank, p2=line.p).Q
        return line.connect(p0=port.source, R=valve.R, opened=opened, Qa=taken)

    def show(self, site: Site, **outputs: tuple[str, Expression]) -> None:
        """Outputs of the drive as a whole: unit and value by name."""
        for name, (unit, value) in outputs.items():
            site.system.output(f"{site.prefix}.{name}", unit, value)


def like(kind: type[T], other: Component, **more: Expression) -> T:
    """A component of another kind with the parameters both have."""
    shared = {f.name for f in fields(kind)} & {f.name for f in fields(other)}  # type: ignore[arg-type]
    return kind(**{name: getattr(other, name) for name in shared}, **more)
