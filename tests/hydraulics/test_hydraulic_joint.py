"""Valve, lines, motor, gear, friction and load wired together: the joint of the pipe-cutting arm."""

import math
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from gerotor.assembly.system import System
from gerotor.core.component import Component, Signals, param, signals
from gerotor.core.ode import Ode
from gerotor.drives.gear import Gear
from gerotor.hydraulics.chamber import Chamber
from gerotor.hydraulics.leakage import TurbulentLeakage
from gerotor.hydraulics.motor import HydraulicMotor
from gerotor.hydraulics.oil import Oil
from gerotor.hydraulics.servo_valve import ServoValve
from gerotor.mechanics.lugre import LuGre

EFFICIENCY, VOLUME, BULK = 0.84, 3e-4, 1e9


@dataclass(frozen=True, kw_only=True)
class Load(Component):
    inertia: float = param("kg*m^2", "M", above=0)
    states = signals(q="rad", v="rad/s")
    inputs = signals(tau="N*m")
    motion = (("q", "v"),)

    def derivative(self, x: Signals, u: Signals) -> Signals:
        return Signals(v=u.tau)

    def mass(self, x: Signals, u: Signals) -> Any:
        return ca.SX(self.inertia)


def joint(*, friction: bool, leak: float) -> Ode:
    system = System("joint")
    current = system.input("current", "A")
    oil = Oil(bulk_modulus=BULK, density=870)
    valve = system.add("valve", ServoValve(rated_flow=55e-3 / 60, rated_drop=70e5, rated_current=0.02,
                                           natural_frequency=2 * math.pi * 80, damping=0.8))
    one, two = system.add("one", Chamber(volume=VOLUME, oil=oil)), system.add("two", Chamber(volume=VOLUME, oil=oil))
    bristle = system.add("bristle", LuGre(coulomb=400.0, static=600.0, stribeck_velocity=0.03, stiffness=4e6,
                                          damping=2e4, viscous=6e3))
    load = system.add("load", Load(inertia=387.76))
    motor = system.add("motor", HydraulicMotor(displacement=80e-6 / (2 * math.pi), efficiency=EFFICIENCY))
    gear, leakage = system.add("gear", Gear(ratio=160.0)), system.add("leak", TurbulentLeakage(gain=leak))
    valve.connect(i=current, p1=one.p, p2=two.p, ps=70e5, pt=0.0)
    leakage.connect(p1=one.p, p2=two.p)
    gear.connect(v=load.v, tau=motor.tau)
    motor.connect(p1=one.p, p2=two.p, w=gear.w)
    one.connect(Q=valve.Q1 - motor.Q1 - leakage.Q)
    two.connect(Q=valve.Q2 - motor.Q2 + leakage.Q)
    bristle.connect(v=load.v)
    load.connect(tau=gear.F - bristle.F if friction else gear.F)
    return system.ode()


def test_speed_gain_without_load() -> None:
    """[kim2021]: 70 bar across the valve, 80 cm^3/rev, 1:160: 1.289 deg/s per mA."""
    ode = joint(friction=False, leak=0.0)
    start = ode.states.pack({"one.p": 35e5, "two.p": 35e5})
    run = solve_ivp(lambda _, x: ode.derivative_at(x, [0.01]), (0, 1.5), start, method="Radau", rtol=1e-6, atol=1e-7)
    speed = math.degrees(run.y[ode.states.index("load.v"), -1])
    assert speed == pytest.approx(10 * 1.289, rel=1e-3)


@pytest.mark.parametrize("seed", range(5))
def test_oil_and_power_balance(seed: int) -> None:
    """Oil: V / B (p1' + p2') = Q1 + Q2. Power at the supply: valve, leak, oil spring, motor, load, friction."""
    ode = joint(friction=True, leak=1e-9)
    random = np.random.default_rng(seed)
    x = ode.states.pack({"one.p": random.uniform(-1e6, 9e6), "two.p": random.uniform(-1e6, 9e6), "valve.x": random.uniform(-1, 1),
                         "bristle.z": random.uniform(-1e-4, 1e-4), "load.v": random.uniform(-0.5, 0.5)})
    rate, now = ode.states.unpack(ode.derivative_at(x, [0.005])), ode.states.unpack(x)
    y = ode.outputs.unpack(ode.function("y", ode.y)(x, [0.005], [], 0))
    swelling = VOLUME / BULK * (rate["one.p"] + rate["two.p"])
    assert swelling == pytest.approx(y["valve.Q1"] + y["valve.Q2"], rel=1e-9, abs=1e-15)

    delivered = now["one.p"] * y["valve.Q1"] + now["two.p"] * y["valve.Q2"]
    spring = VOLUME / BULK * (now["one.p"] * rate["one.p"] + now["two.p"] * rate["two.p"])
    leak = (now["one.p"] - now["two.p"]) * y["leak.Q"]
    mechanical = 387.76 * now["load.v"] * rate["load.v"] + y["bristle.F"] * now["load.v"]
    assert delivered == pytest.approx(spring + leak + mechanical / EFFICIENCY, rel=1e-9, abs=1e-7)
