import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from gerotor.core.evaluate import evaluate, function
from gerotor.drives.current_loop import CurrentLoop

R, L, WC = 1.2, 4e-3, 2 * math.pi * 400
TUNING = {"resistance": R, "inductance": L, "proportional_gain": L * WC, "integral_gain": R * WC, "max_current": 12.0}
LOOP = CurrentLoop(**TUNING, max_voltage=300.0)


def run(part: CurrentLoop, time: float, r: float, e: float = 0.0) -> Any:
    f = function(part)

    def rate(_: float, x: Any) -> list[float]:
        out = f(i=x[0], s=x[1], r=r, e=e)
        return [float(out["d_i"]), float(out["d_s"])]

    return solve_ivp(rate, (0, time), [0.0, 0.0], method="Radau", rtol=1e-8, atol=1e-11, dense_output=True)


def test_cancelled_pole_leaves_a_lag() -> None:
    sol = run(LOOP, 2e-3, 5.0).sol
    for t in (2e-4, 5e-4, 1e-3, 2e-3):
        assert sol(t)[0] == pytest.approx(5 * (1 - math.exp(-WC * t)), rel=1e-5)


def test_back_emf_is_rejected() -> None:
    assert run(LOOP, 0.1, 5.0, e=60.0).y[0, -1] == pytest.approx(5.0, rel=1e-6)


def test_saturated_voltage_does_not_wind_up() -> None:
    """24 V against 20 V of back-emf leave 4 V for 1.2 ohm: 3.33 A of the 10 A asked, and a bounded integral."""
    weak = CurrentLoop(**TUNING, max_voltage=24.0)
    end = run(weak, 0.2, 10.0, e=20.0).y[:, -1]
    assert end[0] == pytest.approx(4 / R, rel=1e-4)
    assert abs(evaluate(weak, i=end[0], s=end[1], r=10.0, e=20.0)["U"]) == pytest.approx(24)
    assert abs(R * WC * end[1]) < 24 + 2 * L * WC * 10
    assert np.isfinite(end).all()


@given(i=st.floats(-1e6, 1e6), s=st.floats(-1e6, 1e6), r=st.floats(-1e12, 1e12))
def test_finite(check_finite: Any, i: float, s: float, r: float) -> None:
    check_finite(LOOP, i=i, s=s, r=r, e=0.0)


def test_units(check_units: Any) -> None:
    check_units(LOOP, i=1.0, s=1e-3, r=3.0, e=10.0)
