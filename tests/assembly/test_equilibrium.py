"""Balance of hydraulic and mechanical systems, worked by hand."""

import math
from dataclasses import dataclass

import casadi as ca
import pytest

from gerotor.assembly.equilibrium import equilibrium
from gerotor.assembly.system import System
from gerotor.core.component import Component, Signals, param, signals
from gerotor.errors import NoSolutionError, WiringError
from gerotor.hydraulics.chamber import Chamber
from gerotor.hydraulics.oil import Oil
from gerotor.hydraulics.orifice import Orifice

OIL = Oil(bulk_modulus=1e9, density=870.0)


@dataclass(frozen=True, kw_only=True)
class Pendulum(Component):
    """q' = v, v' = -g sin q + a."""

    g: float = param("m/s^2", "gravity", above=0)
    states = signals(q="rad", v="rad/s")
    inputs = signals(a="rad/s^2")
    motion = (("q", "v"),)

    def derivative(self, x: Signals, u: Signals) -> Signals:
        return Signals(v=-self.g * ca.sin(x.q) + u.a)


def pendulum() -> System:
    system = System("pendulum")
    system.add("p", Pendulum(g=9.81)).connect(a=system.input("a", "rad/s^2"))
    return system


def pump_and_throttle(flow: float) -> System:
    system = System("throttle")
    node = system.add("node", Chamber(volume=1e-3, oil=OIL))
    valve = system.add("valve", Orifice(area=1e-5, discharge_coefficient=0.6, density=870.0)).connect(p1=node.p, p2=0.0)
    node.connect(Q=flow - valve.Q)
    return system


def test_pressure_that_passes_the_pump_flow() -> None:
    found = equilibrium(pump_and_throttle(1e-3).ode())
    gain = 0.6e-5 * math.sqrt(2 / 870)
    assert found["node.p"] == pytest.approx((1e-3 / gain) ** 2, rel=1e-6)


def test_position_held_input_freed() -> None:
    found = equilibrium(pendulum().ode(), start={"p.q": 0.5}, free_inputs=["a"])
    assert found == pytest.approx({"p.q": 0.5, "p.v": 0.0, "a": 9.81 * math.sin(0.5)})


def test_position_freed() -> None:
    found = equilibrium(pendulum().ode(), start={"p.q": 0.5, "p.v": 3.0}, hold=[])
    assert found["p.q"] == pytest.approx(0.0, abs=1e-7)


def test_no_balance_says_what_moves() -> None:
    with pytest.raises(NoSolutionError, match=r"no balance with p\.q held: p\.v still changes by -4\.703 rad/s/s"):
        equilibrium(pendulum().ode(), start={"p.q": 0.5})
    with pytest.raises(WiringError, match="unknown state"):
        equilibrium(pendulum().ode(), hold=["p.w"])
