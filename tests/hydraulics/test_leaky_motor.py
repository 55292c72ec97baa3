import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.core.evaluate import evaluate
from gerotor.hydraulics.leaky_motor import LeakyMotor

D, R, R_IN, R_EX = 2.0e-3, 2e8, 9e11, 3e12  # displacement at the joint: 2e-5 m^3/rad times 100
SWING = LeakyMotor(displacement=D, line_resistance=R, internal_resistance=R_IN, external_resistance=R_EX)
PRESSURES = st.floats(-1e8, 1e8)


@given(p1=PRESSURES, p2=PRESSURES, pc=st.floats(0, 1e6), w=st.floats(-1, 1))
def test_both_nodes_balance(p1: float, p2: float, pc: float, w: float) -> None:
    y = evaluate(SWING, p1=p1, p2=p2, pc=pc, w=w)
    e, f = y["pe"], y["pf"]
    size = (abs(p1) + abs(p2) + pc) / R + D * abs(w) + 1e-12
    assert abs((p1 - e) / R - D * w - (e - f) / R_IN - (e - pc) / R_EX) <= 1e-12 * size
    assert abs((p2 - f) / R + D * w + (e - f) / R_IN - (f - pc) / R_EX) <= 1e-12 * size
    assert abs(y["Q1"] + y["Q2"] - y["Qc"]) <= 1e-12 * size


@given(p1=PRESSURES, p2=PRESSURES, w=st.floats(-1, 1))
def test_hydraulic_power_covers_shaft_power(p1: float, p2: float, w: float) -> None:
    y = evaluate(SWING, p1=p1, p2=p2, pc=0.0, w=w)
    assert p1 * y["Q1"] + p2 * y["Q2"] - y["tau"] * w >= -1e-9 * (abs(y["tau"] * w) + abs(p1 * y["Q1"]) + 1)


def test_worked_numbers() -> None:
    """30 kN m at 150 bar; 0.3 rad/s sweeps 36 L/min; 150 bar leaks 1 L/min inside, 0.3 out."""
    still = evaluate(SWING, p1=150e5, p2=0.0, w=0.0)
    assert still["tau"] == pytest.approx(30e3, rel=1e-3)
    assert still["Q1"] * 6e4 == pytest.approx(1.3, rel=2e-3)
    assert evaluate(SWING, w=0.3)["Q1"] * 6e4 == pytest.approx(36, rel=1e-3)
    assert math.isclose(evaluate(SWING, p1=40e5, p2=40e5)["tau"], 0, abs_tol=1e-9)


def test_units(check_units: Any) -> None:
    check_units(SWING, p1=1e7, p2=2e6, pc=1e5, w=0.2)
