from typing import Any

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from gerotor.core.evaluate import evaluate, function
from gerotor.hydraulics.accumulator import Accumulator
from gerotor.hydraulics.oil import Oil

OIL = Oil(bulk_modulus=1e9, density=870)
SLOW = Accumulator(gas_volume=10e-3, precharge=90e5, exponent=1.0, port_volume=1e-4, oil=OIL)


def test_boyle() -> None:
    """Isothermal, 10 L at 90 bar: 5 L of oil at 180 bar, 2/3 of the gas volume at 270."""
    assert evaluate(SLOW, p=180e5)["V"] == pytest.approx(5e-3, rel=1e-6)
    assert evaluate(SLOW, p=270e5)["V"] == pytest.approx(10e-3 * 2 / 3, rel=1e-6)
    assert evaluate(SLOW, p=50e5)["V"] == pytest.approx(0, abs=1e-8)


def test_polytropic_charge_keeps_every_drop() -> None:
    """What flowed in is in the bladder or compressed in the port."""
    part = Accumulator(gas_volume=10e-3, precharge=90e5, exponent=1.4, port_volume=1e-4, oil=OIL)
    f = function(part)
    run = solve_ivp(lambda _, p: [float(f(p=p[0], Q=1e-3)["d_p"])], (0, 4), [10e5], method="Radau", rtol=1e-9, atol=1.0)
    p = run.y[0, -1]
    content = evaluate(part, p=p)["V"] - evaluate(part, p=10e5)["V"] + 1e-4 * (p - 10e5) / 1e9
    assert content == pytest.approx(4e-3, rel=1e-6)
    assert (p / 90e5) == pytest.approx((10 / (10 - evaluate(part, p=p)["V"] * 1e3)) ** 1.4, rel=1e-4)


def test_softness_is_the_slope_of_the_content() -> None:
    p = ca.SX.sym("p")
    f = function(SLOW)
    slope = ca.Function("s", [p], [ca.jacobian(f(p=p, Q=1.0)["V"], p)])
    for value in (80e5, 89.99e5, 90e5, 90.01e5, 150e5):
        softness = 1 / float(f(p=value, Q=1.0)["d_p"]) - 1e-4 / 1e9
        np.testing.assert_allclose(softness, float(slope(value)), rtol=1e-9, atol=1e-19)


@given(p=st.floats(-1e12, 1e12), Q=st.floats(-1e6, 1e6))
def test_finite(check_finite: Any, p: float, Q: float) -> None:
    check_finite(SLOW, p=p, Q=Q)


def test_units(check_units: Any) -> None:
    check_units(SLOW, p=120e5, Q=1e-4)
