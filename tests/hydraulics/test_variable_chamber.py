"""The chamber alone, and two of them on a cylinder with a mass: the oil spring of a cylinder."""

import math
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.assembly.system import System
from gerotor.core.component import Component, Signals, param, signals
from gerotor.core.evaluate import evaluate
from gerotor.hydraulics.cylinder import Cylinder
from gerotor.hydraulics.oil import Oil
from gerotor.hydraulics.variable_chamber import VariableChamber

OIL = Oil(bulk_modulus=1600e6, bulk_modulus_slope=0.5, density=869)
CHAMBER = VariableChamber(dead_volume=3.42e-4, oil=OIL)


def test_worked_number() -> None:
    """[khadim2021] piston side at the start: 1600.5 MPa over 3.42e-4 + 1e-3 m^3."""
    assert evaluate(CHAMBER, p=1e6, Q=1e-5, V=1e-3)["d_p"] == pytest.approx(1600.5e6 / 1.342e-3 * 1e-5)


def test_beyond_its_end_the_hose_is_left() -> None:
    assert evaluate(CHAMBER, p=0.0, Q=1e-5, V=-1.0)["d_p"] == pytest.approx(1600e6 / 3.42e-4 * 1e-5)


@dataclass(frozen=True, kw_only=True)
class Mass(Component):
    kilograms: float = param("kg", "m", above=0)
    states = signals(q="m", v="m/s")
    inputs = signals(F="N")
    motion = (("q", "v"),)

    def derivative(self, x: Signals, u: Signals) -> Signals:
        return Signals(v=u.F)

    def mass(self, x: Signals, u: Signals) -> Any:
        return ca.SX(self.kilograms)


def test_closed_cylinder_rings_as_two_oil_springs() -> None:
    """k = B A1^2 / V1 + B A2^2 / V2; with 4850 kg, the mass the four-bar shows, some 7.5 Hz."""
    system = System("closed")
    one, two = system.add("one", CHAMBER), system.add("two", CHAMBER)
    cylinder = system.add("cylinder", Cylinder(piston_area=2e-3, rod_side_area=1.8e-3, stroke=0.8, retracted_length=1.0))
    mass = system.add("mass", Mass(kilograms=4850.0))
    cylinder.connect(p1=one.p, p2=two.p, l=1.5 + mass.q, v=mass.v)
    one.connect(Q=-cylinder.Q1, V=cylinder.V1)
    two.connect(Q=-cylinder.Q2, V=cylinder.V2)
    mass.connect(F=cylinder.F)
    ode = system.ode()
    A = np.asarray(ode.function("A", ca.jacobian(ode.rate, ode.x))(ode.states.pack(), [], [], 0))
    k = 1600e6 * (2e-3**2 / 1.342e-3 + 1.8e-3**2 / 8.82e-4)
    assert max(np.linalg.eigvals(A).imag) == pytest.approx(math.sqrt(k / 4850), rel=1e-9)
    assert math.sqrt(k / 4850) / (2 * math.pi) == pytest.approx(7.5, rel=0.07)


@given(p=st.floats(-1e12, 1e12), V=st.floats(-1e3, 1e3))
def test_finite(check_finite: Any, p: float, V: float) -> None:
    check_finite(CHAMBER, p=p, Q=1.0, V=V)


def test_units(check_units: Any) -> None:
    check_units(CHAMBER, p=1e6, Q=1e-5, V=1e-3)
