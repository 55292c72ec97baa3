"""Controllers of a machine file: `controllers: {name: {kind: pid, ...}}`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from gerotor.control.pid import pid
from gerotor.core.sampled import Sampled
from gerotor.errors import InputError, unknown
from gerotor.machines.actuators.keys import expect
from gerotor.machines.machine import Machine
from gerotor.machines.quantity import per_item
from gerotor.machines.section import source_of
from gerotor.units import quantity


def controller_of(machine: Machine, name: str, command: Sequence[str], command_unit: str) -> Sampled:
    """The joint controller called `name`: reads arm.q.J and ref.q.J, holds the actuators' commands.

    `command`: one input a joint, empty for a joint that nothing drives.
    """
    known = machine.file.controllers
    if name not in known:
        raise InputError(f"{machine.name}: {unknown('controller', name, list(known))}")
    section, path = known[name], f"{machine.path}: controllers.{name}"
    if section.get("kind") != "pid":
        raise InputError(f"{path}.kind = {section.get('kind')!r}: must be pid or servo")
    return _pid(machine, section, path, command, command_unit)


def _pid(machine: Machine, section: Mapping[str, Any], path: str, command: Sequence[str], unit: str) -> Sampled:
    expect(section, path, ("period", "Kp", "Ki", "Kd", "limit"), ("anti_windup", "tracking_time", "filter_time"))
    source_of(section, path)
    if len(command) != machine.tree.size:
        raise InputError(f"{path}: {len(command)} commands for {machine.tree.size} joints: one each, empty where none drives it")
    driven = {j.name: c for j, c in zip(machine.tree.moving, command, strict=True) if c}
    joints = [j for j in machine.tree.moving if j.name in driven]
    base = [f"({unit})/({j.unit})" for j in joints]
    gains = {
        "Kp": per_item(section["Kp"], base, f"{path}.Kp"),
        "Ki": per_item(section["Ki"], [f"{b}/s" for b in base], f"{path}.Ki"),
        "Kd": per_item(section["Kd"], [f"{b}*s" for b in base], f"{path}.Kd"),
    }
    limit = quantity(section["limit"], unit, f"{path}.limit") if section["limit"] != "none" else math.inf
    tracking = quantity(section["tracking_time"], "s", f"{path}.tracking_time") if "tracking_time" in section else None
    return pid(
        "pid",
        period=quantity(section["period"], "s", f"{path}.period"),
        measured=[f"arm.q.{j.name}" for j in joints],
        reference=[f"ref.q.{j.name}" for j in joints],
        command=list(driven.values()),
        limit=limit,
        unit=unit,
        anti_windup=section.get("anti_windup", "none"),
        tracking_time=tracking,
        filter_time=quantity(section.get("filter_time", 0), "s", f"{path}.filter_time"),
        **gains,
    )
