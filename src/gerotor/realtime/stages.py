"""Live scenarios of every machine: operate it joint by joint, drive its valves by hand, cut the pipe."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import casadi as ca
import numpy as np

from gerotor.contact.kerf import kerf
from gerotor.contact.material import material
from gerotor.contact.pipe_cut import PipeCut
from gerotor.control.line import line
from gerotor.core.ode import Ode
from gerotor.errors import InputError, unknown
from gerotor.machines.controllers import controller_of
from gerotor.machines.machine import Assembled, Machine, load_machine
from gerotor.mechanics.kinematics import frame_pose
from gerotor.realtime.operator import operator
from gerotor.realtime.rods import rods_of
from gerotor.realtime.stage import Gauge, Lever, Pipe, Stage, pick
from gerotor.realtime.training import Course, Target
from gerotor.simulation.reference import path_table
from gerotor.simulation.simulation import Simulation

SAMPLE = 0.01  # s, of parts that remember, where no controller sets the pace
Maker = Callable[[Machine], Stage]


def operate(machine: Machine, start: Mapping[str, float] | None = None) -> Stage:
    """Joints under the machine's first controller; levers and sliders set where they go."""
    made, tool = _assembled(machine)
    q0 = machine.joint_positions(start or HOME.get(machine.name.removesuffix("-n")))
    joints = machine.tree.moving
    levers = []
    made.system.input("operator.mode", "1", lower=0.0, upper=1.0)
    for joint, q in zip(joints, q0, strict=True):
        made.system.input(f"operator.q.{joint.name}", joint.unit, start=float(q), lower=joint.lower, upper=joint.upper)
        made.system.input(f"operator.lever.{joint.name}", "1", lower=-1.0, upper=1.0)
        levers.append(Lever(f"operator.lever.{joint.name}", joint.name, joint.unit, -1.0, 1.0,
                            target=f"operator.q.{joint.name}", range=(joint.lower, joint.upper)))
    ode = made.ode()
    commands = [a.command for a in made.actuators.values()]
    controller = controller_of(machine, _pid_name(machine), commands, _command_unit(made, ode))
    hand = operator(joints, q0, controller.period)
    here = dict(zip(machine.tree.names, map(float, q0), strict=True))
    parts = made.loop([hand, controller], controller.period, here)
    return Stage(
        name="operate", title="Operate: joints follow levers and sliders", tree=machine.tree, joints=_joints(machine, ode),
        build=lambda method: Simulation(ode, parts, method=method),
        start=_rest(made, here), step=1e-3, levers=tuple(levers), rods=rods_of(machine),
        controllers=(controller.name,),
        gauges=_gauges(made, ode, tracking=True), tool=tool, also=_tool_signals(ode, tool),
    )


def valves(machine: Machine, start: Mapping[str, float] | None = None) -> Stage:
    """Levers straight onto the machine's inputs, no controller; inputs without a range get one of 1 unit either way."""
    made, tool = _assembled(machine)
    ode = made.ode()
    levers = tuple(
        Lever(e.name, e.name, e.unit, max(e.lower, e.start - 1), min(e.upper, e.start + 1), e.start)
        if not math.isfinite(e.upper - e.lower) else Lever(e.name, e.name, e.unit, e.lower, e.upper, e.start)
        for e in ode.inputs if not e.name.endswith((".mass", ".pressure"))
    )
    q0 = machine.joint_positions(start or HOME.get(machine.name.removesuffix("-n")))
    here = dict(zip(machine.tree.names, map(float, q0), strict=True))
    parts = made.loop([], SAMPLE, here)
    return Stage(
        name="valves", title="Valves by hand: levers on every input, no controller", tree=machine.tree,
        joints=_joints(machine, ode),
        build=lambda method: Simulation(ode, parts, method=method),
        start=_rest(made, here), step=1e-3, levers=levers, rods=rods_of(machine),
        gauges=_gauges(made, ode, tracking=False), tool=tool, also=_tool_signals(ode, tool),
    )


def cut(machine: Machine, feed: float = 2e-4) -> Stage:
    """A straight cut through a pipe, 80 mm at 12 mm/min [kim2021, sec. IV-C]; saw, wall and pitch are assumed."""
    made = machine.assemble(positions=("tcp",), wrenches=("tcp",))
    saw = PipeCut(
        saw_radius=0.15, teeth=160, kerf_width=3e-3, saw_speed=math.pi, sense=1, pipe_y=2.76, pipe_z=-1.445, outer_radius=0.03,
        inner_radius=0.0245, feed_angle=0.0, feed_speed=feed, material=material("stainless steel"), averaged=True,
    )
    part = made.system.add("cut", saw)
    gate = made.system.input("slot.gate", "1", start=1.0)
    part.connect(c=made.arm.tcp[1:], v=ca.SX.zeros(2), t=made.system.time, gate=gate)
    made.arm.connect(wrench_tcp=ca.vertcat(0, part.F, part.M, 0, 0))
    ode = made.ode()
    controller = controller_of(machine, "cut", [a.command for a in made.actuators.values()], _command_unit(made, ode))
    path = line((0.0, 2.57, -1.445), (0.0, 2.65, -1.445), speed=feed)
    guess = {"j2": 0.07568, "j3": math.radians(-26.367), "j4": math.radians(-33.633)}
    table, q0 = path_table(machine, "tcp", path, controller.period, path.duration,
                           rotation=_rotation(machine, "tcp", guess), start=guess)
    slot = kerf("slot", saw, period=controller.period, centre=("arm.tcp.y", "arm.tcp.z"), band=2e-4, gate="slot.gate")
    times = np.linspace(0, path.duration, 50)
    gauges = (Gauge("Cutting force", "N", ("cut.F.y", "cut.F.z")), *_gauges(made, ode, tracking=True))
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


def _rotation(machine: Machine, frame: str, q: Mapping[str, float]) -> Any:
    """The attitude of a frame at joint positions q."""
    return np.array(ca.DM(frame_pose(machine.tree, frame, ca.DM(machine.joint_positions(q))).rotation))


HOME: dict[str, dict[str, float]] = {
    "forestry-crane": {"boom": 0.5, "stick": -1.5},
    "forestry-crane-reduced": {"boom": 0.5, "stick": -1.5},
    "kaeri-arm": {"j2": 0.2, "j3": math.radians(-20), "j4": math.radians(-30)},
}


def stages_of(machine: Machine) -> dict[str, Maker]:
    """The live scenarios of a machine, the first the default."""
    out: dict[str, Maker] = {}
    if _pid_name(machine):
        out["operate"] = operate
    if "cut" in machine.file.controllers:
        out["cut"] = cut
    if {"log", "tip"} <= {p.name for p in machine.file.payloads} | {f.name for f in machine.file.frames}:
        out["training"] = training
    return {**out, "valves": valves}


@functools.lru_cache(maxsize=8)
def stage(machine: str, name: str = "") -> Stage:
    """A scenario of a machine by name; none means its first."""
    made = load_machine(machine)
    known = stages_of(made)
    if name and name not in known:
        raise InputError(f"{machine}: {unknown('live scenario', name, list(known))}")
    return known[name or next(iter(known))](made)


def _pid_name(machine: Machine) -> str:
    """The machine's first joint controller that is a PID; empty where there is none."""
    return next((n for n, section in machine.file.controllers.items() if section.get("kind") == "pid"), "")


def _rest(made: Assembled, here: Mapping[str, float]) -> dict[str, float]:
    """At rest at these joint positions, or, where loops leave no choice, as the machine's file has it."""
    try:
        return made.rest(here)
    except InputError:
        return made.rest({})


def _assembled(machine: Machine) -> tuple[Assembled, str]:
    frames = tuple(f.name for f in machine.file.frames)
    return machine.assemble(positions=frames), frames[-1] if frames else machine.tree.names[-1]


def _joints(machine: Machine, ode: Ode) -> tuple[str, ...]:
    """The signals of all joint positions; those that follow from a closed loop are outputs."""
    return tuple(f"arm.q.{n}" if f"arm.q.{n}" in ode.states else f"arm.z.{n}" for n in machine.tree.names)


def _tool_signals(ode: Ode, tool: str) -> tuple[str, ...]:
    return tuple(n for n in ode.outputs.names if n.startswith(f"arm.{tool}."))


def _command_unit(made: Assembled, ode: Ode) -> str:
    command = next(a.command for a in made.actuators.values() if a.command in ode.inputs)
    return ode.inputs.entries[ode.inputs.index(command)].unit


def _gauges(made: Assembled, ode: Ode, *, tracking: bool) -> tuple[Gauge, ...]:
    """Tracking errors, pressures, flows and commands, one plot a unit."""
    tree = made.machine.tree
    out = []
    for kind, unit, title in (("revolute", "rad", "Tracking error"), ("prismatic", "m", "Tracking error of slides")):
        names = [j.name for j in tree.moving if j.kind == kind]
        if tracking and names:
            out.append(Gauge(title, unit, tuple(f"ref.q.{n}" for n in names), tuple(f"arm.q.{n}" for n in names)))
    pressures = tuple(e.name for e in ode.states if e.unit == "Pa")
    flows = pick([e.name for e in ode.outputs if e.unit == "m^3/s"], "valve.Q1")
    if pressures:
        out.append(Gauge("Pressures", "Pa", pressures))
    if flows:
        out.append(Gauge("Flows of the valves", "m^3/s", flows))
    commands = [a.command for a in made.actuators.values() if a.command in ode.inputs]
    if commands:
        out.append(Gauge("Commands", _command_unit(made, ode), tuple(commands)))
    return tuple(out)
