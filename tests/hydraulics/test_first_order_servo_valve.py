import math

import pytest
from scipy.integrate import solve_ivp

from gerotor.core.evaluate import evaluate, function
from gerotor.hydraulics.first_order_servo_valve import FirstOrderServoValve

VALVE = FirstOrderServoValve(rated_flow=1e-3, rated_drop=70e5, rated_current=0.02, time_constant=0.01)


def test_amplitude_of_a_sine() -> None:
    """Amplitude ratio 1 / sqrt(1 + (w T)^2)."""
    w, f = 0.4 * math.pi * 50, function(VALVE)

    def rate(t: float, x: list[float]) -> list[float]:
        return [float(f(x=x[0], i=0.01 * math.sin(w * t))["d_x"])]

    run = solve_ivp(rate, (0, 0.4), [0.0], rtol=1e-7, atol=1e-9, dense_output=True)
    tail = [run.sol(0.3 + 0.1 * k / 400)[0] for k in range(401)]
    assert max(tail) == pytest.approx(0.5 / math.sqrt(1 + (w * 0.01) ** 2), rel=1e-3)


def test_command_saturates() -> None:
    assert evaluate(VALVE, x=0.0, i=1.0)["d_x"] == pytest.approx(100)
    assert evaluate(VALVE, x=0.0, i=-1.0)["d_x"] == pytest.approx(-100)
