"""The motor alone, and on two closed chambers with a load: the oil spring of a hydraulic joint."""

import math
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from gerotor.assembly.system import System
from gerotor.core.component import Component, Signals, param, signals
from gerotor.core.evaluate import evaluate
from gerotor.core.ode import Ode
from gerotor.hydraulics.chamber import Chamber
from gerotor.hydraulics.motor import HydraulicMotor
from gerotor.hydraulics.oil import Oil

OMP80 = HydraulicMotor(displacement=80e-6 / (2 * math.pi), efficiency=0.84)
OMM40 = HydraulicMotor(displacement=40e-6 / (2 * math.pi), efficiency=0.79)


@pytest.mark.parametrize(("motor", "pressure", "shaft"), [(OMP80, 140e5, 150), (OMM40, 90e5, 45)])
def test_data_sheet_torque(motor: HydraulicMotor, pressure: float, shaft: float) -> None:
    """[kim2021, table 2]: 150 N m at 140 bar, 45 N m at 90 bar."""
    torque = evaluate(motor, p1=pressure, p2=0.0)["tau"]
    assert torque == pytest.approx(shaft, rel=0.01)
    assert torque * 160 == pytest.approx({150: 24e3, 45: 7.2e3}[int(shaft)], rel=0.01)


@given(p1=st.floats(-1e8, 1e8), p2=st.floats(-1e8, 1e8), w=st.floats(-1e3, 1e3))
def test_power_and_oil_balance(p1: float, p2: float, w: float) -> None:
    y = evaluate(OMP80, p1=p1, p2=p2, w=w)
    assert y["Q1"] + y["Q2"] == 0
    assert y["tau"] * w == pytest.approx(0.84 * (p1 * y["Q1"] + p2 * y["Q2"]), rel=1e-9, abs=1e-6)


def test_units(check_units: Any) -> None:
    check_units(OMP80, p1=1e7, p2=2e6, w=3.0)


@dataclass(frozen=True, kw_only=True)
class Inertia(Component):
    inertia: float = param("kg*m^2", "M", above=0)
    states = signals(q="rad", v="rad/s")
    inputs = signals(tau="N*m")
    motion = (("q", "v"),)

    def derivative(self, x: Signals, u: Signals) -> Signals:
        return Signals(v=u.tau)

    def mass(self, x: Signals, u: Signals) -> Any:
        return ca.SX(self.inertia)


def closed_joint(ratio: float, volume: float, inertia: float) -> Ode:
    system = System("closed")
    oil = Oil(bulk_modulus=1e9, density=870)
    one, two = system.add("one", Chamber(volume=volume, oil=oil)), system.add("two", Chamber(volume=volume, oil=oil))
    motor, load = system.add("motor", OMP80), system.add("load", Inertia(inertia=inertia))
    motor.connect(p1=one.p, p2=two.p, w=ratio * load.v)
    one.connect(Q=-motor.Q1)
    two.connect(Q=-motor.Q2)
    load.connect(tau=ratio * motor.tau)
    return system.ode()


def test_closed_valve_resonance() -> None:
    """omega_h = eta_g D sqrt(2 eta B / (V M)), from the linearisation and from a run."""
    ratio, volume, inertia = 160.0, 3e-4, 387.76
    stiffness = 2 * 0.84 * 1e9 * (ratio * 80e-6 / (2 * math.pi)) ** 2 / volume
    assert stiffness == pytest.approx(2.324e7, rel=1e-3)
    omega = math.sqrt(stiffness / inertia)

    ode = closed_joint(ratio, volume, inertia)
    A = np.asarray(ode.function("A", ca.jacobian(ode.rate, ode.x))(ode.states.array("start"), [], [], 0))
    assert max(np.linalg.eigvals(A).imag) == pytest.approx(omega, rel=1e-9)

    start = ode.states.pack({"one.p": 7e6, "two.p": 7e6, "load.v": 0.01})
    run = solve_ivp(lambda _, x: ode.derivative_at(x), (0, 10.2 * 2 * math.pi / omega), start, method="DOP853",
                    rtol=1e-10, atol=1e-9, events=lambda _, x: x[ode.states.index("load.q")])
    crossings = run.t_events[0][1:]
    measured = math.pi * (len(crossings) - 1) / (crossings[-1] - crossings[0])
    assert measured == pytest.approx(omega, rel=0.005)
    total = run.y[ode.states.index("one.p")] + run.y[ode.states.index("two.p")]
    np.testing.assert_allclose(total, 14e6, rtol=1e-12)
