import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from gerotor.core.evaluate import evaluate
from gerotor.hydraulics.locked_cylinder import LockedCylinder

A1, A2, C = 7.854e-3, 5.391e-3, 1.65e-12
STICK = LockedCylinder(
    piston_area=A1, rod_side_area=A2, piston_capacitance=C, rod_side_capacitance=C,
    closed_resistance=1e18, turbulent_resistance=2e11,
)
PRESSURE = st.floats(-1e8, 1e8)


def test_stiffness_of_the_trapped_oil() -> None:
    assert STICK.stiffness == pytest.approx(5.500e7, rel=1e-3)


@given(F=st.floats(-1e6, 1e6), p1i=PRESSURE, p2i=PRESSURE)
def test_pressures_carry_the_force(F: float, p1i: float, p2i: float) -> None:
    y = evaluate(STICK, F=F, p1i=p1i, p2i=p2i)
    assert A1 * y["p1"] - A2 * y["p2"] == pytest.approx(F, rel=1e-9, abs=1e-6)


def test_pressures_are_those_of_the_oil_spring_at_rest() -> None:
    """Both chambers integrated while the rod settles under a growing force: the same end pressures."""
    p1i, p2i, load = 40e5, 80e5, -6e3
    damping, mass = 3e5, 4e3

    def rate(_: float, x: Any) -> list[float]:
        p1, p2, v = x
        return [-A1 * v / C, A2 * v / C, (A1 * p1 - A2 * p2 - damping * v - load) / mass]

    run = solve_ivp(rate, (0, 2), [p1i, p2i, 0.0], method="Radau", rtol=1e-10, atol=1e-8)
    y = evaluate(STICK, F=load, p1i=p1i, p2i=p2i)
    assert (y["p1"], y["p2"]) == (pytest.approx(run.y[0, -1], rel=1e-7), pytest.approx(run.y[1, -1], rel=1e-7))


def test_misprint_in_the_source_breaks_the_balance() -> None:
    """With A1 / C1 in both of (26) the change of force is off by (A1^2 + A1 A2) / (A1^2 + A2^2) - 1, 15 %."""
    F, p1i, p2i = 10e3, 60e5, 80e5
    change = A1 * p1i - A2 * p2i - F
    d = change / STICK.stiffness
    printed = A1 * (p1i - A1 / C * d) - A2 * (p2i + A1 / C * d)
    assert (A1 * p1i - A2 * p2i - printed) / change - 1 == pytest.approx(0.1460, abs=2e-3)


def test_residual_speed_is_the_steady_speed_of_the_nearly_closed_valve() -> None:
    F = 10e3
    r = evaluate(STICK, F=F, p01=160e5, p02=2e5)["r"]
    p1, p2 = 160e5 - (1e18 + 2e11) * (A1 * r) ** 2, 2e5 + (1e18 + 2e11) * (A2 * r) ** 2
    assert A1 * p1 - A2 * p2 == pytest.approx(F, rel=1e-4)
    assert evaluate(STICK, F=A1 * 160e5 - A2 * 2e5 + 1e4, p01=160e5, p02=2e5)["r"] < 0
    assert r == pytest.approx(math.sqrt((A1 * 160e5 - A2 * 2e5 - F) / (1e18 * (A1**3 + A2**3))), rel=1e-5)


@given(F=st.floats(-1e12, 1e12), p=st.floats(-1e12, 1e12))
def test_finite(check_finite: Any, F: float, p: float) -> None:
    check_finite(STICK, F=F, p1i=p, p2i=-p, p01=p, p02=-p)


def test_units(check_units: Any) -> None:
    check_units(STICK, F=1e4, p1i=4e6, p2i=8e6, p01=160e5, p02=2e5)
