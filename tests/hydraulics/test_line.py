import math
from typing import Any

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.assembly.system import System
from gerotor.core.evaluate import evaluate
from gerotor.hydraulics.line import Line
from gerotor.hydraulics.oil import Oil

LINE = Line(inertance=1.2e7, capacitance=2.5e-12, resistance=2e8, turbulent_resistance=2e11)


def test_line_from_its_bore() -> None:
    """4 m of 19 mm hose: rho l / A = 870 * 4 / 2.84e-4 = 1.2e7; C at 0.45 GPa 2.5e-12."""
    line = Line.of_bore(4.0, 0.019, Oil(bulk_modulus=0.45e9, density=870), viscosity=0.04)
    assert line.inertance == pytest.approx(1.2e7, rel=0.03)
    assert float(line.capacitance) == pytest.approx(2.5e-12, rel=0.01)
    assert line.resistance == pytest.approx(128 * 0.04 * 4 / (math.pi * 0.019**4))


def test_steady_drop() -> None:
    """36 L/min: laminar 1.2 bar, turbulent 0.72 bar; nothing moves at the matching pressure."""
    Q = 36e-3 / 60
    y = evaluate(LINE, p=1e6, Q=Q, p1=1e6 + 2e8 * Q + 2e11 * Q**2, Q2=Q)
    assert y["d_Q"] == pytest.approx(0, abs=1e-9)
    assert y["d_p"] == 0


def test_closed_end_rings_at_one_over_root_ic() -> None:
    system = System("line")
    system.add("line", Line(inertance=1.2e7, capacitance=2.5e-12)).connect(p1=0.0, Q2=0.0)
    ode = system.ode()
    A = np.asarray(ode.function("A", ca.jacobian(ode.rate, ode.x))([0, 0], [], [], 0))
    assert max(np.linalg.eigvals(A).imag) == pytest.approx(1 / math.sqrt(1.2e7 * 2.5e-12), rel=1e-9)


@given(p=st.floats(-1e9, 1e9), Q=st.floats(-1, 1), p1=st.floats(-1e9, 1e9), Q2=st.floats(-1, 1))
def test_power_balance(p: float, Q: float, p1: float, Q2: float) -> None:
    """Power in - power out = rate of stored energy + loss."""
    y = evaluate(LINE, p=p, Q=Q, p1=p1, Q2=Q2)
    stored = 1.2e7 * Q * y["d_Q"] + 2.5e-12 * p * y["d_p"]
    loss = (2e8 + 2e11 * abs(Q)) * Q**2
    size = abs(p1 * Q) + abs(p * Q) + abs(p * Q2) + loss + 1e-9
    assert abs(p1 * Q - p * Q2 - stored - loss) <= 1e-12 * size


@given(p=st.floats(-1e12, 1e12), Q=st.floats(-1e6, 1e6))
def test_finite(check_finite: Any, p: float, Q: float) -> None:
    check_finite(LINE, p=p, Q=Q, p1=-p, Q2=-Q)


def test_units(check_units: Any) -> None:
    check_units(LINE, p=1e6, Q=1e-4, p1=3e6, Q2=2e-4)
