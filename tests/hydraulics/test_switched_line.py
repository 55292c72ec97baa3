import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from gerotor.core.evaluate import evaluate, function
from gerotor.hydraulics.switched_line import SwitchedLine

LINE = SwitchedLine(inertance=1.2e7, capacitance=1.65e-12, closed_resistance=1e18, time_constant=0.01, turbulent_resistance=2e11)
R_OPEN = 1.97e12


def test_open_line_in_steady_motion() -> None:
    """Q |Q| R across the orifice, S Qa^2 up to the actuator: the resistive limit."""
    Q = 1e-3
    y = evaluate(LINE, p=160e5 - R_OPEN * Q**2, Q=Q, p0=160e5, R=R_OPEN, opened=1.0, Qa=Q)
    assert y["d_Q"] == pytest.approx(0, abs=1e-6)
    assert y["d_p"] == 0
    assert y["pa"] == pytest.approx(160e5 - (R_OPEN + 2e11) * Q**2, rel=1e-9)


def test_closed_line_pressure_depends_on_the_motion_only() -> None:
    y = evaluate(LINE, p=60e5, Q=1e-3, p0=160e5, R=1e18, opened=0.0, Qa=2e-5)
    assert y["d_p"] == pytest.approx(-2e-5 / 1.65e-12)
    assert evaluate(LINE, p=60e5, Q=1e-3, p0=160e5, R=1e18, opened=0.0, Qa=0.0)["d_p"] == 0


def test_closed_flow_follows_the_residual_flow_in_10_ms() -> None:
    residual = math.sqrt(100e5 / 1e18)
    f = function(LINE)

    def rate(_: float, Q: Any) -> list[float]:
        return [float(f(p=60e5, Q=Q[0], p0=160e5, R=1e18, opened=0.0)["d_Q"])]

    run = solve_ivp(rate, (0, 0.01), [1e-3], rtol=1e-9, atol=1e-15)
    assert run.y[0, -1] == pytest.approx(residual + (1e-3 - residual) * math.exp(-1), rel=1e-6)


def test_residual_flow_is_the_steady_open_flow_at_the_closing_resistance() -> None:
    residual = math.sqrt(100e5 / 1e18)
    y = evaluate(LINE, p=60e5, Q=residual, p0=160e5, R=1e18, opened=1.0)
    assert y["d_Q"] * 1.2e7 == pytest.approx(0, abs=1e-4 * 100e5)
    backwards = evaluate(LINE, p=160e5, Q=0.0, p0=60e5, R=1e18, opened=0.0)["d_Q"] * 0.01
    assert backwards == pytest.approx(-residual, rel=1e-6)


@given(p=st.floats(-1e12, 1e12), Q=st.floats(-1e3, 1e3), opened=st.sampled_from([0.0, 1.0]))
def test_finite(check_finite: Any, p: float, Q: float, opened: float) -> None:
    check_finite(LINE, p=p, Q=Q, p0=-p, R=1e18, opened=opened, Qa=Q)


@pytest.mark.parametrize("opened", [0.0, 1.0])
def test_units(check_units: Any, opened: float) -> None:
    check_units(LINE, p=1e6, Q=1e-4, p0=3e6, R=R_OPEN, opened=opened, Qa=2e-4)
