"""The arm with the parameters of a robot like the RX90B, all assumed but limits, lengths and speeds."""

import math

import casadi as ca
import numpy as np

from gerotor.assembly.system import System
from gerotor.control.line import line
from gerotor.control.position_loop import position_loop
from gerotor.control.velocity_loop import velocity_loop
from gerotor.core.layout import Entry, Layout
from gerotor.core.table import Table
from gerotor.drives.gear_matrix import GearMatrix
from gerotor.maths.pose import Pose
from gerotor.mechanics.body import Body
from gerotor.mechanics.compensation_spring import CompensationSpring
from gerotor.mechanics.elbow_arm import ElbowArm
from gerotor.mechanics.frame import Frame
from gerotor.mechanics.joint import Joint
from gerotor.mechanics.joint_motion import JointMotion
from gerotor.mechanics.lugre import LuGre
from gerotor.mechanics.multibody import Multibody
from gerotor.mechanics.tree import Tree

AXES = "zyyzyz"
HEIGHTS = (0, 0.42, 0.87, 0.87, 1.32, 1.32)
LIMITS = [(-160, 160), (-137.5, 137.5), (-142.5, 142.5), (-270, 270), (-105, 120), (-270, 270)]
SPEEDS = (4.12, 3.49, 4.99, 7.00, 5.59, 10.12)
BODIES = [
    Body(24, (0, 0.03, 0.36), (0.35, 0.35, 0.25)), Body(21, (0, 0.08, 0.18), (0.55, 0.55, 0.12)),
    Body(17, (0, -0.03, 0.05), (0.20, 0.20, 0.10)), Body(10.5, (0, 0, 0.22), (0.18, 0.18, 0.03)),
    Body(2.9, (0, 0, 0.01), (0.006, 0.006, 0.004)), Body(4.6, (0.017, 0, 0.170), (0.045, 0.045, 0.010)),
]
RATIOS = (110, 130, 90, 65, 80, 45)
ROTORS = (3.0e-4, 3.0e-4, 1.5e-4, 4.0e-5, 3.0e-5, 3.0e-5)
CONSTANTS = (0.5, 0.5, 0.4, 0.2, 0.2, 0.2)
FRICTION = [
    (30, 37.5, 25, 3674), (35, 43.75, 30, 4861), (20, 25, 12, 1897), (8, 10, 3, 355),
    (6, 7.5, 2.5, 345), (4, 5, 1.5, 114), (3, 3.75, 1, 99),
]
DOWN = np.diag([-1.0, 1.0, -1.0])


def tree() -> Tree:
    joints = []
    for k in range(6):
        low, high = (math.radians(x) for x in LIMITS[k])
        rise = HEIGHTS[k] - (HEIGHTS[k - 1] if k else 0)
        joints.append(Joint(
            name=f"j{k + 1}", kind="revolute", parent=f"j{k}" if k else None, placement=Pose(translation=(0, 0, rise)),
            axis=(0, 0, 1) if AXES[k] == "z" else (0, 1, 0), lower=low, upper=high, velocity=SPEEDS[k], body=BODIES[k],
        ))
    return Tree("rx90", tuple(joints), (0, 0, -9.81), frames=(Frame("tip", "j6", Pose(translation=(0, 0, 0.335))),))


def gears() -> GearMatrix:
    return GearMatrix(ratios=RATIOS, couplings=((5, 4, 45),))


def system(range_: float = 10e-6) -> System:
    """The plant: currents in, friction elements, spring and arm."""
    out = System("rx90")
    arm = out.add("arm", Multibody(tree=tree(), positions=("tip",), rotors=gears().reflected(ROTORS)))
    spring = out.add("spring", CompensationSpring(fixed_anchor=0.25, moving_anchor=0.08, stiffness=7500, pretension=1275))
    spring.connect(q=arm.q[1])
    gear = out.add("gear", gears())
    currents = [out.input(f"current.{k + 1}", "A") for k in range(6)]
    gear.connect(v=arm.v, tau=ca.vertcat(*[c * i for c, i in zip(CONSTANTS, currents, strict=True)]))
    total = gear.F + ca.vertcat(0, spring.tau, 0, 0, 0, 0)
    for k, (fc, fs, c2, c1) in enumerate(FRICTION):
        f = out.add(f"friction{k + 1}", LuGre(coulomb=fc, static=fs, stribeck_velocity=0.03, stiffness=fs / range_,
                                              damping=c1, viscous=c2))
        which = [k] if k < 6 else [4, 5]
        f.connect(v=sum(arm.v[i] for i in which))
        for i in which:
            total[i] -= f.F
    arm.connect(tau=total)
    return out


def motion(jerk: float | None = None) -> JointMotion:
    path = line((0.5, -0.6, 0.25), (0.5, 0.65, 0.25), speed=0.25, acceleration=1.0, jerk=jerk)
    ik = ElbowArm(0.42, 0.45, 0.45, 0.335)
    return JointMotion(tree(), "tip", path, lambda p: ik.along(p, DOWN))


INERTIA = np.array([10, 15, 4, 0.35, 0.44, 0.072])
OMEGA = 2 * np.pi * np.array([10, 10, 12, 15, 15, 15])
KP, KD = INERTIA * OMEGA**2, 1.8 * INERTIA * OMEGA
KI = KP * OMEGA / 8
VISCOUS = np.array([25, 30, 12, 3, 2.5, 2.5])
COULOMB = 0.85 * np.array([30, 35, 20, 8, 6, 7])
MAX_CURRENT = (12, 12, 10, 6, 6, 6)
SHAPE = np.eye(6) + np.outer(np.eye(6)[5], np.eye(6)[4])  # motor angles over their ratios


def loops(motion: JointMotion, static: np.ndarray, rest: float = 0.3):
    """Set-points at 1 kHz, position loop at 1 kHz, velocity and current loop at 4 kHz."""
    t = 1e-3 * np.arange(round((motion.duration + rest) * 1000) + 1)
    q, v, a = motion.at(t)
    rows = np.hstack([x @ SHAPE.T for x in (q, v, a)])
    names = [[f"setpoint.{key}.{k + 1}" for k in range(6)] for key in ("r", "v", "a")]
    holds = Layout(tuple(Entry(n, u) for group, u in zip(names, ("rad", "rad/s", "rad/s^2"), strict=True) for n in group))
    load = np.linalg.solve(SHAPE.T, static)
    n_c = np.array(RATIOS) * np.array(CONSTANTS)
    command = [f"command.{k + 1}" for k in range(6)]
    outer = position_loop("position", period=1e-3, measured=[f"arm.q.j{k + 1}" for k in range(6)], reference=names[0],
                          reference_velocity=names[1], reference_acceleration=names[2], command=command, Kp=list(KP), Ki=list(KI),
                          inertia=list(INERTIA), viscous=list(KD + VISCOUS), coulomb=list(COULOMB),
                          start=list(load), coordinates=SHAPE)
    inner = velocity_loop("velocity", period=0.25e-3, command=command, measured=[f"arm.v.j{k + 1}" for k in range(6)],
                          current=[f"current.{k + 1}" for k in range(6)], Kd=list(KD), constant=list(n_c), limit=MAX_CURRENT,
                          bandwidth=2 * np.pi * 500, start=list(load / n_c), coordinates=SHAPE)
    return [outer, inner], [Table("setpoint", 1e-3, rows, holds)]
