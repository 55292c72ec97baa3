"""Hardware in the loop from a file: another rig than ours, without a line of code.

The simulated side is one of
  chain     bodies on a line; the contact acts between two of them (or one and the ground): signals contact.x, contact.v, F
  machine   a machine file; the contact acts at a frame of it: signals contact.FRAME.x/y/z and contact.FRAME.x_rate/..,
            F.FRAME.x/y/z
  docking   a set of the docking rig: signals point.l.x/y/z, point.v.x/y/z, F.x/y/z
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import casadi as ca
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gerotor.assembly.system import System
from gerotor.core.layout import Entry, Layout
from gerotor.core.ode import Ode
from gerotor.errors import InputError
from gerotor.estimation.contact_identifier import ContactIdentifier
from gerotor.machines.docking_rig import dynamics, parameters
from gerotor.machines.docking_rig.values import load_rig
from gerotor.machines.load import first_errors, read_yaml
from gerotor.machines.machine import load_machine, position_quantities
from gerotor.machines.quantity import Kilograms, Metres, Seconds, unit
from gerotor.mechanics.mass_chain import MassChain
from gerotor.realtime.hil import Axis, HilLoop, Interface
from gerotor.units import quantity

Stiffness = Annotated[float, unit("N/m")]
Damping = Annotated[float, unit("N*s/m")]
Force = Annotated[float, unit("N")]
Count = Annotated[int, Field(ge=1, le=1000)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ChainSection(_Strict):
    """`between`: numbers of the two bodies the contact joins; 0 is the ground."""

    masses: list[Kilograms] = Field(min_length=1, max_length=50)
    stiffness: list[Stiffness] = []
    damping: list[Damping] = []
    between: tuple[int, int]


class MachineSection(_Strict):
    """A machine file or name, the frame that touches, and the joint positions at the start."""

    file: str
    frame: str
    pose: dict[str, str | float] = {}


class DockingSection(_Strict):
    """A set of the docking rig."""

    set: str


class AxisSection(_Strict):
    """One direction of contact."""

    name: str
    force: str
    position: str
    velocity: str
    stiffness: Stiffness
    damping: Damping
    rest: Metres = 0.0
    sign: Literal[-1, 1] = -1


class InterfaceSection(_Strict):
    """How the physical part is reached."""

    period: Seconds
    delay: Seconds
    kind: Literal["transport", "lag1", "lag2", "lag3", "hold"] = "transport"
    jitter: Seconds = 0.0
    loss: Annotated[float, Field(ge=0, lt=1)] = 0.0
    noise: Force = 0.0


class IdentificationSection(_Strict):
    """Settings of the identifier; see ContactIdentifier."""

    noise: Force
    drift: tuple[float, float]
    fast_drift: tuple[float, float] | None = None
    span: Count = 1
    gate: Annotated[float, Field(ge=0)] = 9.0


class HilFile(_Strict):
    """The whole file; without `compensation` the force goes back as measured."""

    name: str
    chain: ChainSection | None = None
    machine: MachineSection | None = None
    docking: DockingSection | None = None
    axes: list[AxisSection] = Field(min_length=1, max_length=12)
    interface: InterfaceSection
    compensation: IdentificationSection | None = None
    start: dict[str, str | float] = {}
    duration: Seconds


def load_hil(path: str | Path) -> tuple[HilFile, HilLoop]:
    """A file as a loop, ready for `margins` and `sampled`."""
    where = Path(path)
    try:
        file = HilFile.model_validate(read_yaml(where))
    except ValidationError as error:
        raise first_errors(where, error) from None
    except RecursionError:
        raise InputError(f"{where}: nested too deeply") from None
    if not 0 < file.duration <= 3600:
        raise InputError(f"{where}: duration = {file.duration:g} s: must be above 0 and at most 3600")
    ode, start, values = _simulated(file, where)
    interface = Interface(**file.interface.model_dump())
    given = {name: _number(value, ode, name) for name, value in file.start.items()}
    chosen = file.compensation
    identifier = None if chosen is None else ContactIdentifier(
        interface.period, chosen.noise, chosen.drift, span=chosen.span, gate=chosen.gate, fast_drift=chosen.fast_drift,
    )
    axes = [Axis(**a.model_dump()) for a in file.axes]
    return file, HilLoop(ode, axes, interface, identifier, start=start | given, parameters=values)


def _number(value: str | float, ode: Ode, name: str) -> float:
    entry = ode.states.entries[ode.states.index(name)]
    return quantity(value, entry.unit, f"start.{name}")


def _simulated(file: HilFile, where: Path) -> tuple[Ode, dict[str, float], dict[str, float]]:
    """Ode, start values and parameters of the simulated side."""
    if sum(s is not None for s in (file.chain, file.machine, file.docking)) != 1:
        raise InputError(f"{where}: give exactly one of chain, machine, docking")
    if file.chain is not None:
        return _chain(file.chain, file.name), {}, {}
    if file.machine is not None:
        return _machine(file.machine, where)
    rig, name = load_rig(), file.docking.set if file.docking is not None else ""
    return dynamics.ideal(rig, cut=True), dynamics.start(rig, name), parameters.values(rig, name)


def _chain(section: ChainSection, name: str) -> Ode:
    n = len(section.masses)
    a, b = section.between
    if not (0 <= a <= n and 0 <= b <= n and a != b):
        raise InputError(f"chain.between = [{a}, {b}]: two different bodies of 1 to {n}, or 0 for the ground")
    system = System(name)
    chain = system.add("chain", MassChain(
        masses=tuple(section.masses), stiffness=tuple(section.stiffness), damping=tuple(section.damping),
    ))
    F = system.input("F", "N")
    force: list[Any] = [ca.SX(0)] * (n + 1)
    force[a], force[b] = force[a] - F, force[b] + F
    chain.connect(f=ca.vertcat(*force[1:]))
    at = [(ca.SX(0), ca.SX(0)), *((chain.x[k], chain.v[k]) for k in range(n))]
    system.output("contact.x", "m", at[b][0] - at[a][0])
    system.output("contact.v", "m/s", at[b][1] - at[a][1])
    return system.ode()


def _machine(section: MachineSection, where: Path) -> tuple[Ode, dict[str, float], dict[str, float]]:
    known = where.parent / section.file
    machine = load_machine(known if known.is_file() else section.file)
    pose = position_quantities(machine, section.pose, "machine.pose")
    assembled = machine.assemble(positions=(section.frame,), wrenches=(section.frame,))
    system, arm = assembled.system, assembled.arm
    force = [system.input(f"F.{section.frame}.{a}", "N") for a in "xyz"]
    arm.connect(**{f"wrench_{section.frame}": ca.vertcat(*force, 0, 0, 0)})
    begin = assembled.rest(pose)
    place = getattr(arm, section.frame)
    for k, a in enumerate("xyz"):
        system.output(f"contact.{section.frame}.{a}", "m", place[k])
    ode = assembled.ode()
    return _with_rates(ode, section.frame), begin, {}


def _with_rates(ode: Ode, frame: str) -> Ode:
    """The same Ode with the velocities of the frame as outputs."""
    names = [f"contact.{frame}.{a}" for a in "xyz"]
    q = [i for block in ode.blocks for i in block.q]
    v = [j for block in ode.blocks for _, j in zip(block.q, block.v, strict=False)]
    rates = [ca.jacobian(ode.signal(n), ode.x[q]) @ ode.x[v] for n in names]
    outputs = Layout((*ode.outputs.entries, *(Entry(f"{n}_rate", "m/s") for n in names)))
    return replace(ode, outputs=outputs, y=ca.vertcat(ode.y, *rates))
