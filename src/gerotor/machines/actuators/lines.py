"""What drives behind lines and a closing valve share: the valve, its two equal lines, by depth of model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar

import casadi as ca

from gerotor.assembly.system import Part
from gerotor.core.component import Component, Expression
from gerotor.errors import InputError
from gerotor.hydraulics.check_valve import CheckValve
from gerotor.hydraulics.resistance_valve import ResistanceValve
from gerotor.hydraulics.resistive_line import ResistiveLine
from gerotor.hydraulics.switched_chamber import SwitchedChamber
from gerotor.hydraulics.switched_line import SwitchedLine
from gerotor.machines.actuators.base import Mount, Supply

VAPOUR = -1e5  # gauge pressure below which oil boils: absolute zero, nearly
T = TypeVar("T", bound=Component)


@dataclass(frozen=True)
class Lines:
    """Valve and lines of one drive in place.

    Input `JOINT.u`, the valve's command. `make_up` lets oil in from the tank where a line's
    pressure falls below the tank's.
    """

    mount: Mount
    supply: Supply
    valve: Part
    opened: Expression
    line: SwitchedLine
    make_up: CheckValve | None

    @staticmethod
    def of(section: Mapping[str, Any], mount: Mount, path: str) -> Lines:
        """From the keys `valve`, `line` and `make_up` of a machine file."""
        if mount.supply is None:
            raise InputError(f"{path}: needs `supply` in the machine file")
        make = mount.sections.make
        valve = make(ResistanceValve, section["valve"], f"{path}.valve")
        line = make(
            SwitchedLine, section["line"], f"{path}.line",
            closed_resistance=valve.closed_resistance, time_constant=mount.model.follower_time,
        )
        make_up = make(CheckValve, section["make_up"], f"{path}.make_up") if "make_up" in section else None
        limit = valve.full_command
        u = mount.system.input(f"{mount.joint}.u", "V", lower=-limit, upper=limit)
        part = mount.add("valve", valve).connect(u=u, ps=mount.supply.pressure, pt=mount.supply.tank)
        return Lines(mount, mount.supply, part, part.opened if mount.model.switched else ca.SX(1), line, make_up)

    def add(self, name: str, source: Expression, flow: Expression) -> Part:
        """The line behind `source` from which the actuator takes `flow`."""
        lines = self.mount.model.lines
        if lines == "reduced":
            resistive: Part = self.mount.add(name, like(ResistiveLine, self.line))
            return resistive.connect(p0=source, R=self.valve.R, Qa=flow)
        line: Part = self.mount.add(name, self.line if lines == "full" else like(SwitchedChamber, self.line))
        extra: Expression = 0
        if self.make_up is not None:
            extra = self.mount.add(f"{name}.make_up", self.make_up).connect(p1=self.supply.tank, p2=line.p).Q
        return line.connect(p0=source, R=self.valve.R, opened=self.opened, Qa=flow, Qm=extra)

    def show(self, p1: Expression, p2: Expression, held: tuple[Expression, Expression] | None) -> None:
        """The pressures at the actuator as outputs `JOINT.p1`, `JOINT.p2`; `held` are those of a locked joint."""
        for k, (open_pressure, name) in enumerate(((p1, "p1"), (p2, "p2"))):
            p = ca.if_else(self.opened, open_pressure, held[k]) if held else open_pressure
            self.mount.system.output(f"{self.mount.joint}.{name}", "Pa", p, lower=VAPOUR)

    def states(self, p1: float, p2: float) -> dict[str, float]:
        """Start values of the lines' pressures, where they have any."""
        if self.mount.model.lines == "reduced":
            return {}
        return {f"{self.mount.joint}.line1.p": p1, f"{self.mount.joint}.line2.p": p2}


def like(kind: type[T], other: Component, **more: Expression) -> T:
    """A component of another kind with the parameters both have."""
    shared = {f.name for f in fields(kind)} & {f.name for f in fields(other)}  # type: ignore[arg-type]
    return kind(**{name: getattr(other, name) for name in shared}, **more)
