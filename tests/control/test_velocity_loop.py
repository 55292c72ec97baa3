import math

import casadi as ca
import numpy as np
import pytest

from gerotor.control.velocity_loop import velocity_loop
from gerotor.errors import ParameterError

NAMES = {"command": ["u"], "measured": ["v"], "current": ["i"]}


def step(loop, state, read):
    d, w = loop.update(ca.DM(state), ca.DM(read), 0.0)
    assert np.array_equal(np.array(ca.DM(ca.evalf(d))), np.array(ca.DM(ca.evalf(w))))
    return float(ca.evalf(d)[0])


def test_rate_feedback_and_lag_by_hand() -> None:
    loop = velocity_loop("v", period=0.25e-3, **NAMES, Kd=10, constant=50, limit=12, bandwidth=2 * math.pi * 500)
    share = 1 - math.exp(-math.pi / 4)
    assert step(loop, [1.0], [100, 2]) == pytest.approx(1 + share * ((100 - 20) / 50 - 1))


def test_step_response_of_the_current_is_first_order() -> None:
    loop = velocity_loop("v", period=0.25e-3, **NAMES, Kd=0, constant=1, limit=12, bandwidth=2 * math.pi * 500)
    i = 0.0
    for k in range(1, 9):
        i = step(loop, [i], [1, 0])
        assert i == pytest.approx(1 - math.exp(-2 * math.pi * 500 * k * 0.25e-3))


def test_saturation_and_non_finite_input() -> None:
    loop = velocity_loop("v", period=0.25e-3, **NAMES, Kd=0, constant=1, limit=12)
    assert step(loop, [0], [1e9, 0]) == 12
    assert step(loop, [0], [-1e9, 0]) == -12
    assert step(loop, [5], [math.nan, 0]) == 5
    assert step(velocity_loop("v", period=1e-3, **NAMES, Kd=1, constant=1, limit=12), [5], [0, math.inf]) == 5


def test_impossible_parameters() -> None:
    with pytest.raises(ParameterError, match="constant: must not be 0"):
        velocity_loop("v", period=1e-3, **NAMES, Kd=0, constant=0, limit=1)
    with pytest.raises(ParameterError, match="must be above 0"):
        velocity_loop("v", period=1e-3, **NAMES, Kd=0, constant=1, limit=0)
