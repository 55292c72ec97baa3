"""A tree of bodies whose joints are driven through lines: bodies, drives, end stops, one supply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca

from gerotor.assembly.system import Part, System
from gerotor.control.latch import latch
from gerotor.control.sample_hold import sample_hold
from gerotor.core.component import Expression
from gerotor.core.layout import Entry, Layout
from gerotor.core.sampled import Sampled
from gerotor.errors import WiringError, unknown
from gerotor.machines.cylinder_drive import CylinderDrive
from gerotor.machines.line_drive import Depth, Joint, Site
from gerotor.machines.motor_drive import MotorDrive
from gerotor.mechanics.end_stop import EndStops
from gerotor.mechanics.lockable_multibody import LockableMultibody
from gerotor.mechanics.multibody import Multibody
from gerotor.mechanics.tree import Tree

Drive = CylinderDrive | MotorDrive


@dataclass(frozen=True, kw_only=True)
class LineDriven:
    """`loads` are payloads whose mass is an input, `PREFIXmass_NAME`; `follower_time` is T of locked joints."""

    tree: Tree
    drives: Sequence[Drive]
    follower_time: float
    stops: EndStops | None = None
    positions: tuple[str, ...] = ()
    loads: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for drive in self.drives:
            if drive.joint not in self.tree.names:
                raise WiringError(f"{self.tree.name}: {unknown('joint', drive.joint, list(self.tree.names))}")

    def add_to(self, system: System, depth: Depth, *, supply: Expression, tank: Expression, prefix: str = "") -> Part:
        """Add everything to `system`, names under `prefix` ("full."); the part of the bodies is `PREFIXarm`."""
        options: dict[str, Any] = {"tree": self.tree, "positions": self.positions, "loads": self.loads}
        body = Multibody(**options)
        if depth.locks:
            body = LockableMultibody(**options, time_constant=self.follower_time)
        arm = system.add(f"{prefix}arm", body)
        size, names = self.tree.size, self.tree.names
        stop = ca.SX.zeros(size)
        if self.stops is not None:
            stop = system.add(f"{prefix}stops", self.stops).connect(q=arm.q, v=arm.v).tau
        hold = arm.hold - stop if depth.locks else stop
        torque, locked = ca.SX.zeros(size), ca.SX.zeros(size)
        for drive in self.drives:
            k = names.index(drive.joint)
            joint = Joint(arm.q[k], arm.v[k], hold[k])
            driven = drive.connect(Site(system, f"{prefix}{drive.joint}", depth, supply, tank), joint)
            torque[k], locked[k] = driven.torque, 1 - driven.opened
        arm.connect(tau=torque + stop, **{
            f"mass_{name}": system.input(f"{prefix}mass_{name}", "kg", lower=0.0) for name in self.loads
        })
        if depth.locks:
            moved = {d.joint for d in self.drives}
            r = [system.input(f"{prefix}{n}.r", "rad/s") if n in moved else ca.SX(0) for n in names]
            arm.connect(locked=locked, r=ca.vertcat(*r))
        return arm

    def memory(self, period: float, pressures: Mapping[str, tuple[float, float]], prefix: str = "") -> tuple[Sampled, Sampled]:
        """What locked joints remember, sampled with the commands: a part to go before the controllers, one after.

        Before: the pressures at which each cylinder's valve closed; `pressures` are those at the
        start, by joint. After: the speed with which each joint would start again.
        """
        at = [f"{prefix}{d.joint}" for d in self.drives if isinstance(d, CylinderDrive)]
        start = [p for d in self.drives if isinstance(d, CylinderDrive) for p in pressures[d.joint]]
        ports = [f"{a}.p{k}" for a in at for k in (1, 2)]
        closing = latch(
            f"{prefix}closing", period=period, reads=ports, condition=[f"{a}.valve.opened" for a in at for _ in (1, 2)],
            holds=Layout(tuple(Entry(f"{port}i", "Pa", start=p) for port, p in zip(ports, start, strict=True))),
        )
        joints = [f"{prefix}{d.joint}" for d in self.drives]
        restart = sample_hold(
            f"{prefix}restart", period=period, reads=[f"{j}.residual" for j in joints],
            holds=Layout(tuple(Entry(f"{j}.r", "rad/s") for j in joints)),
        )
        return closing, restart
