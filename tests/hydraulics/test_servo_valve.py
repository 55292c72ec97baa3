import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from gerotor.assembly.system import System
from gerotor.core.evaluate import evaluate
from gerotor.hydraulics.servo_valve import ServoValve

WN, ZETA = 2 * math.pi * 80, 0.5
VALVE = ServoValve(rated_flow=55e-3 / 60, rated_drop=70e5, rated_current=0.02, natural_frequency=WN, damping=ZETA)


def test_step_follows_the_closed_form_and_overshoots_as_it_should() -> None:
    """10 mA of 20: DC gain 0.5, overshoot exp(-pi zeta / sqrt(1 - zeta^2))."""
    system = System("valve")
    valve = system.add("valve", VALVE).connect(i=0.01, p1=7e6, p2=7e6, ps=14e6, pt=0.0)
    assert valve.component is VALVE
    ode = system.ode()
    assert [b.second_order for b in ode.blocks] == [True]
    t = np.linspace(0, 0.05, 501)
    run = solve_ivp(lambda _, x: ode.derivative_at(x), (0, 0.05), [0, 0], t_eval=t, rtol=1e-9, atol=1e-11)
    wd = WN * math.sqrt(1 - ZETA**2)
    exact = 0.5 * (1 - np.exp(-ZETA * WN * t) * (np.cos(wd * t) + ZETA * WN / wd * np.sin(wd * t)))
    np.testing.assert_allclose(run.y[0], exact, atol=1e-7)
    assert max(run.y[0]) / 0.5 - 1 == pytest.approx(math.exp(-math.pi * ZETA / math.sqrt(1 - ZETA**2)), rel=1e-3)
    assert run.y[0, -1] == pytest.approx(0.5, rel=1e-3)


def test_command_saturates() -> None:
    assert evaluate(VALVE, i=0.04)["d_v"] == pytest.approx(WN**2)


def test_units(check_units: Any) -> None:
    check_units(VALVE, x=0.3, v=2.0, p1=5e6, p2=4e6, ps=14e6, pt=1e5, i=0.01)
