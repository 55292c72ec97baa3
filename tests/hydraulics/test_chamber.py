import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from gerotor.core.evaluate import evaluate
from gerotor.hydraulics.chamber import Chamber
from gerotor.hydraulics.oil import Oil

OIL = Oil(bulk_modulus=1.0e9, density=870)


def test_worked_number() -> None:
    """1 L/min into 0.3 L of 1 GPa oil: 1e9 / 3e-4 / 6e4 Pa/s."""
    assert evaluate(Chamber(volume=3e-4, oil=OIL), Q=1e-3 / 60)["d_p"] == pytest.approx(5.5555556e7, rel=1e-7)


def test_no_flow_keeps_the_pressure() -> None:
    assert evaluate(Chamber(volume=3e-4, oil=OIL), p=7e6, Q=0.0)["d_p"] == 0


def test_constant_flow_follows_the_closed_form() -> None:
    """p(t) = [(kp + k0 p0) exp(k0 Q t / V) - kp] / k0."""
    chamber = Chamber(volume=3.42e-3, oil=Oil(bulk_modulus=1600e6, bulk_modulus_slope=0.5, density=869))
    Q, p0, t = 1e-3, 1e6, 0.05
    run = solve_ivp(lambda _, p: [evaluate(chamber, p=p[0], Q=Q)["d_p"]], (0, t), [p0], method="Radau", rtol=1e-10, atol=1.0)
    exact = ((1600e6 + 0.5 * p0) * math.exp(0.5 * Q * t / 3.42e-3) - 1600e6) / 0.5
    assert run.y[0, -1] == pytest.approx(exact, rel=1e-7)


def test_units(check_units: Any) -> None:
    check_units(Chamber(volume=3e-4, oil=Oil(bulk_modulus=1.6e9, bulk_modulus_slope=0.5, density=869)), p=7e6, Q=1e-4)
    check_units(Chamber(volume=3e-4, oil=Oil(bulk_modulus=1.6e9, density=869, air_share=0.01)), p=7e6, Q=1e-4)


@given(p=st.floats(-1e12, 1e12), Q=st.floats(-1e6, 1e6))
def test_finite(check_finite: Any, p: float, Q: float) -> None:
    check_finite(Chamber(volume=3e-4, oil=Oil(bulk_modulus=1e9, bulk_modulus_slope=5.0, density=870, air_share=0.01)), p=p, Q=Q)
