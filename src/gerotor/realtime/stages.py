"""Live scenarios of every machine: operate it joint by joint, drive its valves by hand, cut the pipe."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

import casadi as ca
import numpy as np

from gerotor.contact.kerf import kerf
from gerotor.control.line import line
from gerotor.core.ode import Ode
from gerotor.core.sampled import Sampled
from gerotor.errors import InputError, unknown
from gerotor.machines.assembled import Assembled
from gerotor.machines.closed import closed_rest
from gerotor.machines.controllers import controller_of
from gerotor.machines.kaeri_arm.pipe import CUT_LENGTH, CUT_PITCH, CUT_START, FEED, OPEN_LOOP_START, PIPE_CUT
from gerotor.machines.load import reference_rigs
from gerotor.machines.machine import Machine, load_machine
from gerotor.machines.servo import holding_load, servo_of, servo_period
from gerotor.mechanics.joint import Joint
from gerotor.realtime.docking_stage import dock
from gerotor.realtime.operator import operator, operator_levers
from gerotor.realtime.rods import rods_of
from gerotor.realtime.stage import FINE, Gauge, Lever, Pipe, Stage, pick
from gerotor.realtime.training import Course, Target
from gerotor.realtime.urdf_stage import shapes_of, urdf_stage
from gerotor.simulation.reference import attitude, path_table
from gerotor.simulation.simulation import Simulation
from gerotor.units import quantity

SAMPLE = 0.01  # s, of parts that remember, where no controller sets the pace
Maker = Callable[[Machine], Stage]


def operate(machine: Machine, start: Mapping[str, float] | None = None) -> Stage:
    """Driven joints under the machine's first controller; levers and sliders set where they go."""
    made, tool = _assembled(machine)
    here = _positions(made, start)
    joints = [j for j in machine.tree.moving if j.name in here]
    levers = operator_levers(made.system, joints, list(here.values()))
    ode = made.ode()
    loop = (_servo if machine.drives is not None else _pid)(made, ode, joints, here)
    parts = made.loop(loop.parts, loop.parts[0].period, here)
    return Stage(
        name="operate", title="Operate: joints follow levers and sliders", tree=machine.tree, joints=_joints(machine, ode),
        build=lambda method: Simulation(ode, parts, method=method),
        start=made.rest(here), step=loop.step, levers=levers, rods=rods_of(machine), solids=shapes_of(machine),
        controllers=loop.cleared, safe=loop.safe,
        gauges=_gauges(made, ode, tracking=True), tool=tool, also=_tool_signals(ode, tool),
    )


class _Loop(NamedTuple):
    """The operator's hand and the controller; what is cleared after a stop, and what a stop forces."""

    parts: list[Sampled]
    step: float
    cleared: tuple[str, ...] = ()
    safe: dict[str, float] | None = None


def _pid(made: Assembled, ode: Ode, joints: list[Joint], here: Mapping[str, float]) -> _Loop:
    """A stop shuts the valves."""
    controller = controller_of(made.machine, _controller(made.machine), made.commands, _command_unit(made, ode))
    return _Loop([operator(joints, list(here.values()), controller.period), controller], 1e-3, (controller.name,))


def _servo(made: Assembled, ode: Ode, joints: list[Joint], here: Mapping[str, float]) -> _Loop:
    """A stop brings the set-points to rest and keeps the drives under power: without brakes the arm would fall."""
    machine, name, q = made.machine, _controller(made.machine), list(here.values())
    assert machine.drives is not None
    drives = servo_of(machine, name, holding_load(machine, q))
    hand = operator(joints, q, servo_period(machine, name), machine.drives.coordinates)
    safe = {"operator.mode": 1.0, **{f"operator.lever.{j.name}": 0.0 for j in joints}}
    return _Loop([hand, *drives], min(d.period for d in drives), safe=safe)


def valves(machine: Machine, start: Mapping[str, float] | None = None) -> Stage:
    """Levers straight onto the machine's inputs, no controller; inputs without a range get one of 1 unit either way."""
    made, tool = _assembled(machine)
    ode = made.ode()
    levers = tuple(
        Lever(e.name, e.name, e.unit, max(e.lower, e.start - 1), min(e.upper, e.start + 1), e.start)
        if not math.isfinite(e.upper - e.lower) else Lever(e.name, e.name, e.unit, e.lower, e.upper, e.start)
        for e in ode.inputs if not e.name.endswith((".mass", ".pressure"))
    )
    here = _positions(made, start)
    parts = made.loop([], SAMPLE, here)
    return Stage(
        name="valves", title="Inputs by hand: levers on every input, no controller", tree=machine.tree,
        joints=_joints(machine, ode),
        build=lambda method: Simulation(ode, parts, method=method),
        start=made.rest(here), step=1e-3, levers=levers, rods=rods_of(machine), solids=shapes_of(machine),
        gauges=_gauges(made, ode, tracking=False), tool=tool, also=_tool_signals(ode, tool),
    )


def cut(machine: Machine, feed: float = FEED) -> Stage:
    """A straight cut through a pipe, 80 mm at 12 mm/min [kim2021, sec. IV-C]; saw, wall and pitch are assumed."""
    made = machine.assemble(positions=("tcp",), wrenches=("tcp",))
    saw = replace(PIPE_CUT, feed_speed=feed, averaged=True)
    part = made.system.add("cut", saw)
    gate = made.system.input("slot.gate", "1", start=1.0)
    part.connect(c=made.arm.tcp[1:], v=ca.SX.zeros(2), t=made.system.time, gate=gate)
    made.arm.connect(wrench_tcp=ca.vertcat(0, part.F, part.M, 0, 0))
    ode = made.ode()
    controller = controller_of(machine, "cut", list(made.driven.values()), _command_unit(made, ode))
    path = line(CUT_START, (CUT_START[0], CUT_START[1] + CUT_LENGTH, CUT_START[2]), speed=feed)
    table, q0 = path_table(machine, "tcp", path, controller.period, path.duration,
                           rotation=attitude(machine, "tcp", (CUT_PITCH, 0, 0)))
    slot = kerf("slot", saw, period=controller.period, centre=("arm.tcp.y", "arm.tcp.z"), band=2e-4, gate="slot.gate")
    times = np.linspace(0, path.duration, 50)
    gauges = (Gauge("Cutting force", "N", ("cut.F.y", "cut.F.z")), *_gauges(made, ode, tracking=True, fine=True))
    return Stage(
        name="cut", title=f"Cut the pipe: 80 mm at {feed * 6e4:g} mm/min, by itself", tree=machine.tree,
        joints=_joints(machine, ode),
        build=lambda method: Simulation(ode, [controller, slot], [table], method=method),
        start=made.rest(dict(zip(machine.tree.names, map(float, q0), strict=True))), step=1e-3, gauges=gauges, tool="tcp",
        also=(*_tool_signals(ode, "tcp"), "slot.fraction", "slot.cut_depth", "cut.P"),
        path=np.asarray(path.position(times)).reshape(-1, 3), duration=path.duration, controllers=(controller.name,),
        pipe=Pipe(saw, "slot", 64, ("cut.F.y", "cut.F.z"), ("arm.tcp.x", "arm.tcp.y", "arm.tcp.z")),
    )


def training(machine: Machine) -> Stage:
    """Fetch a log on the left, put it down on the right, twice; with a score."""
    base = operate(machine)
    ode = base.build(base.method).ode
    lines = [e.name for e in ode.states if e.unit == "m^3/s"]
    spots = (("take up the log", (3.6, 2.6, 0.6), 300.0), ("drop it", (3.6, -2.6, 0.9), 0.0),
             ("take up the next", (4.6, 1.6, 0.4), 300.0), ("drop it", (3.2, -3.2, 1.2), 0.0))
    course = Course(
        targets=tuple(Target(name, place, 0.35, mass) for name, place, mass in spots),
        tool=("arm.tip.x", "arm.tip.y", "arm.tip.z"), load="log.mass", supply="supply.pressure", flows=tuple(lines),
        pressures=tuple(n for n in ode.outputs.names if n.endswith((".p1", ".p2")) and n.count(".") == 1),
        stops=tuple(n for n in ode.outputs.names if n.startswith("end_stops.")), speed_limit=2.5, pressure_limit=180e5, par=90.0,
    )
    return replace(base, name="training", title="Training: fetch logs and put them down", course=course,
                   also=tuple(dict.fromkeys((*base.also, *course.signals))))


HOME: dict[str, dict[str, float]] = {
    "forestry-crane": {"boom": 0.5, "stick": -1.5},
    "kaeri-arm": OPEN_LOOP_START,
    "rx90": {"j2": 0.5, "j3": 1.2, "j5": 0.6},
}


def stages_of(machine: Machine) -> dict[str, Maker]:
    """The live scenarios of a machine, the first the default."""
    out: dict[str, Maker] = {}
    if _controller(machine):
        out["operate"] = operate
    if "cut" in machine.file.controllers:
        out["cut"] = cut
    if {"log", "tip"} <= {p.name for p in machine.file.payloads} | {f.name for f in machine.file.frames}:
        out["training"] = training
    return {**out, "valves": valves}


def scenarios(machine: str) -> dict[str, Callable[[], Stage]]:
    """The live scenarios of a machine or rig by name."""
    if machine in reference_rigs():
        return {"dock": dock}
    if machine.lower().endswith(".urdf"):
        return {"operate": functools.partial(urdf_stage, machine)}
    made = load_machine(machine)
    return {name: functools.partial(maker, made) for name, maker in stages_of(made).items()}


@functools.lru_cache(maxsize=8)
def stage(machine: str, name: str = "") -> Stage:
    """A scenario of a machine by name; none means its first."""
    known = scenarios(machine)
    if name and name not in known:
        raise InputError(f"{machine}: {unknown('live scenario', name, list(known))}")
    return known[name or next(iter(known))]()


def _controller(machine: Machine) -> str:
    """The machine's first joint controller; empty where there is none."""
    return next((n for n, section in machine.file.controllers.items() if section.get("kind") in ("pid", "servo")), "")


def _positions(made: Assembled, start: Mapping[str, float] | None) -> dict[str, float]:
    """Where the joints start that move of themselves: as told, at home, or, in closed loops, as the file has it."""
    machine = made.machine
    if machine.file.loops:
        rest = closed_rest(machine.file, machine.tree, made.arm.component, start)
        return {n.removeprefix("arm.q."): q for n, q in rest.items() if n.startswith("arm.q.")}
    home = next((HOME[n] for n in HOME if machine.name.startswith(n)), None)
    return dict(zip(machine.tree.names, map(float, machine.joint_positions(start or home)), strict=True))


def _assembled(machine: Machine) -> tuple[Assembled, str]:
    frames = tuple(f.name for f in machine.file.frames)
    return machine.assemble(positions=frames), frames[-1] if frames else machine.tree.names[-1]


def _joints(machine: Machine, ode: Ode) -> tuple[str, ...]:
    """The signals of all joint positions; those that follow from a closed loop are outputs."""
    return tuple(f"arm.q.{n}" if f"arm.q.{n}" in ode.states else f"arm.z.{n}" for n in machine.tree.names)


def _tool_signals(ode: Ode, tool: str) -> tuple[str, ...]:
    return tuple(n for n in ode.outputs.names if n.startswith(f"arm.{tool}."))


def _command_unit(made: Assembled, ode: Ode) -> str:
    return ode.inputs.entries[ode.inputs.index(next(iter(made.driven.values())))].unit


def _gauges(made: Assembled, ode: Ode, *, tracking: bool, fine: bool = False) -> tuple[Gauge, ...]:
    """Tracking errors, pressures, flows, speeds and commands, one plot a unit."""
    tree, driven = made.machine.tree, made.driven
    out = []
    for kind, unit, title in (("revolute", "rad", "Tracking error"), ("prismatic", "m", "Tracking error of slides")):
        names = [j.name for j in tree.moving if j.kind == kind and j.name in driven]
        if tracking and names:
            wanted, found = (tuple(f"{what}.q.{n}" for n in names) for what in ("ref", "arm"))
            out.append(Gauge(title, unit, wanted, found, display=FINE[unit] if fine else None))
    pressures = tuple(e.name for e in ode.states if e.unit == "Pa")
    flows = pick([e.name for e in ode.outputs if e.unit == "m^3/s"], "valve.Q1")
    if pressures:
        out.append(Gauge("Pressures", "Pa", pressures, top=_supply(made.machine)))
    if flows:
        out.append(Gauge("Flows of the valves", "m^3/s", flows))
    if made.machine.drives is not None:
        full = max(made.machine.drives.max_current)
        out.append(Gauge("Motor currents", "A", tuple(driven.values()), display=("A", 1.0), top=full))
        out.append(Gauge("Joint speeds", "rad/s", tuple(f"arm.v.{n}" for n in tree.names)))
    elif driven:
        full = max(ode.inputs.entries[ode.inputs.index(c)].upper for c in driven.values())
        out.append(Gauge("Commands", _command_unit(made, ode), tuple(driven.values()), top=full if math.isfinite(full) else None))
    return tuple(out)


def _supply(machine: Machine) -> float | None:
    """The supply's pressure, Pa."""
    return quantity(machine.file.supply["pressure"], "Pa", "supply.pressure") if machine.file.supply else None
