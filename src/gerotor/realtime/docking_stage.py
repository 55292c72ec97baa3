"""The docking rig live: a spacecraft comes up to the wire ropes of a hanging end-effector.

Station, arm, end-effector and craft are computed; a platform on six legs carries the capture rod to where the craft is,
the rope's force is measured and goes back. The operator chooses approach speed, contact stiffness and whether
the platform's delay is compensated before a docking, and fires the craft's thrusters during it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from gerotor.codegen.world import World
from gerotor.core.ode import Ode
from gerotor.machines.docking_rig.computer import DITHER, Computer, adaptive_identifier
from gerotor.machines.docking_rig.parameters import AXES
from gerotor.machines.docking_rig.physical import geometry, origin, physical_half, rod
from gerotor.machines.docking_rig.scenario import Scenario
from gerotor.machines.docking_rig.values import RigFile, Value, load_rig
from gerotor.maths.pose import Pose
from gerotor.mechanics.frame import Frame
from gerotor.mechanics.joint import Joint
from gerotor.mechanics.tree import Tree
from gerotor.realtime.stage import Arrow, Bar, Gauge, Lever, Rod, Setting, Stage
from gerotor.simulation.simulation import Simulation

SET, LIVE = "table-2", "live"
THRUST = 50.0  # N
POSE = ("x", "y", "z", "yaw", "pitch", "roll")
STEEL, DARK, PAINT, PALE = (205, 211, 219), (84, 92, 104), (246, 164, 30), (172, 182, 196)
SETTINGS = (
    Setting("speed", "approach speed", "mm/s", 0.0, 60.0, 1.0, 25.0),
    Setting("aside", "offset to the side", "mm", -20.0, 20.0, 1.0, 5.0),
    Setting("stiffness", "contact stiffness", "kN/m", 5.0, 80.0, 1.0, 40.0),
    Setting("compensate", "delay compensated", "", 0.0, 1.0, 1.0, 1.0),
)


def dock() -> Stage:
    """Docking in six degrees of freedom with the masses of [yu2018, table 2]."""
    rig = load_rig()
    ode = physical_half(rig)
    computer = Computer(rig, adaptive_identifier(rig), matched=True)
    part = computer.sampled()

    def prepare(simulation: Simulation, world: World, settings: Mapping[str, float]) -> None:
        _begin(rig, computer, simulation, world, settings)

    still = Scenario(LIVE).start(_with_offset(rig, 0.0), ode)
    return Stage(
        name="dock", title="Dock: a craft of 2 t meets the ropes of a space manipulator", tree=_tree(rig),
        joints=tuple(f"platform.q.{n}" for n in POSE), build=lambda method: Simulation(ode, [part], method=method),
        start=still, step=1e-3, method="rk4", settings=SETTINGS, prepare=prepare, tool="tip",
        levers=tuple(Lever(f"thrust.{a}", f"thrust {a}", "N", -THRUST, THRUST) for a in AXES),
        gauges=(
            Gauge("Rope force", "N", tuple(f"rope.F.{a}" for a in AXES)),
            Gauge("Rod against ropes", "m", tuple(f"stretch.{a}" for a in AXES)),
            Gauge("Platform behind craft", "m", tuple(f"desired.{a}" for a in AXES), tuple(f"platform.q.{a}" for a in AXES),
                  display=("mm", 1e3)),
            Gauge("Stiffness identified", "N/m", tuple(f"stiffness.{a}" for a in AXES), display=("kN/m", 1e-3)),
            Gauge("Leg currents", "A", tuple(f"leg{k}.i" for k in range(1, 7)), display=("A", 1.0)),
        ),
        also=tuple(f"platform.l.{k}" for k in range(1, 7)), rods=_legs(rig), solids=_solids(rig),
        arrow=Arrow(("rope.F.x", "rope.F.y", "rope.F.z"), "tip", 1.5e-3), safe=_standing(rig, ode),
    )


def _with_offset(rig: RigFile, aside: float) -> RigFile:
    """The rig with a set of its own whose contact begins at an offset to the side, m."""
    place = Value(value=[f"{aside} m", "0 m", "0 m"], source="chosen by the operator")
    return rig.model_copy(update={"sets": {**rig.sets, LIVE: rig.set(SET).model_copy(update={"offset": place})}})


def _begin(rig: RigFile, computer: Computer, simulation: Simulation, world: World, settings: Mapping[str, float]) -> None:
    """The craft at the ropes with its approach speed, the platform standing where the craft is."""
    placed = _with_offset(rig, 1e-3 * settings["aside"])
    scenario = Scenario(LIVE, compensate=settings["compensate"] > 0.5, dither=DITHER)
    parameters = scenario.parameters(placed)
    parameters |= {f"contact.stiffness.{k}": 1e3 * settings["stiffness"] for k in range(3)}
    hold = 4e3  # N m/rad: 0.2 Hz of the craft's 2000 kg m^2
    inputs = scenario.settings(placed) | {"attitude.stiffness": hold, "attitude.damping": 1.4 * math.sqrt(hold * 2000.0)}
    start = scenario.start(placed, simulation.ode)
    inner = scenario.computed_start(placed, computer, start) | {"bodies.V_craft.z": 1e-3 * settings["speed"]}
    program = simulation.program
    world.x[:] = program.ode.states.pack(start)
    world.p[:] = program.ode.parameters.pack(parameters)
    world.d[:] = [inner[n.removeprefix("computer.")] for n in program.discrete.names]
    for name, value in inputs.items():
        world.w[program.held.index(name)] = value


def _standing(rig: RigFile, ode: Ode) -> dict[str, float]:
    """A stop leads the legs home and cuts the thrusters."""
    inputs = {e.name: e.start for e in ode.inputs}
    return {n: inputs[n] for n in inputs if n.startswith(("r.", "thrust."))}


def _tree(rig: RigFile) -> Tree:
    """The platform's pose as joints: three slides, then yaw, pitch, roll."""
    axes = dict(zip(POSE, (*np.eye(3), *np.eye(3)[::-1]), strict=True))
    parents = (None, *POSE[:-1])
    joints = tuple(
        Joint(name=n, kind="prismatic" if k < 3 else "revolute", parent=parents[k], axis=axes[n]) for k, n in enumerate(POSE)
    )
    return Tree(rig.name, joints, (0.0, 0.0, -9.81), frames=(Frame("tip", "roll", Pose(translation=rod(rig))),))


def _legs(rig: RigFile) -> tuple[Rod, ...]:
    shape, shortest = geometry(rig), rig.platform["leg_shortest"].si("m", "platform.leg_shortest")
    legs = [Rod(f"leg{k + 1}", None, base, "roll", top, 0.72 * shortest, 0.11)
            for k, (base, top) in enumerate(zip(shape.base, shape.platform, strict=True))]
    tip = (0.0, 0.0, rod(rig)[2])
    ropes = [Rod(f"rope{k}", None, finger, "roll", tip, 0.19, 0.014) for k, finger in enumerate(_fingers(rig))]
    return *legs, *ropes


def _fingers(rig: RigFile) -> list[tuple[float, float, float]]:
    """Where the ropes are fixed: three points on a ring about the anchor."""
    x, y, z = (a + b for a, b in zip(origin(rig), rig.geometry["anchor"].vector("m", "geometry.anchor"), strict=True))
    turns = [0.3 + 2 * math.pi / 3 * k for k in range(3)]
    return [(x + 0.2 * math.cos(t), y + 0.2 * math.sin(t), z) for t in turns]


def _solids(rig: RigFile) -> tuple[Bar, ...]:
    """Base, platform, capture rod; above them the end-effector with its rope ring, hanging from a frame."""
    base, top = (rig.platform[f"{n}_radius"].si("m", f"platform.{n}_radius") for n in ("base", "platform"))
    x, y, z = origin(rig)
    ring = z + rig.geometry["anchor"].vector("m", "geometry.anchor")[2]
    tip = rod(rig)[2]
    return (
        Bar("base", None, (0, 0, -0.12), (0, 0, -0.04), base + 0.12, DARK),
        Bar("plate", "roll", (0, 0, 0.0), (0, 0, 0.07), top + 0.05, PAINT),
        Bar("adaptor", "roll", (0, 0, 0.07), (0, 0, 0.55 * tip), 0.12, PALE),
        Bar("rod", "roll", (0, 0, 0.55 * tip), (0, 0, tip + 0.03), 0.025, STEEL),
        Bar("effector", None, (x, y, ring + 0.15), (x, y, z + 0.1), 0.24, PALE),
        Bar("hanger", None, (x, y, z + 0.1), (x, y, z + 0.55), 0.06, DARK),
        Bar("gantry", None, (x - 1.5, y, z + 0.55), (x + 1.5, y, z + 0.55), 0.06, DARK),
        Bar("post_left", None, (x - 1.5, y, -0.12), (x - 1.5, y, z + 0.6), 0.06, DARK),
        Bar("post_right", None, (x + 1.5, y, -0.12), (x + 1.5, y, z + 0.6), 0.06, DARK),
        *(Bar(f"finger{k}", None, (a, b, c - 0.03), (a, b, c + 0.16), 0.02, DARK) for k, (a, b, c) in enumerate(_fingers(rig))),
    )
