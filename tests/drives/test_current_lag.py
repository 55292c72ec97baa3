import math
from typing import Any

import pytest
from scipy.integrate import solve_ivp

from gerotor.core.evaluate import evaluate, function
from gerotor.drives.current_lag import CurrentLag

LAG = CurrentLag(bandwidth=2 * math.pi * 400, max_current=12.0)


def test_held_over_a_sample_it_is_the_discrete_law() -> None:
    f, T = function(LAG), 0.25e-3
    run = solve_ivp(lambda _, i: [float(f(i=i[0], r=5.0)["d_i"])], (0, T), [1.0], rtol=1e-10, atol=1e-12)
    assert run.y[0, -1] == pytest.approx(1 + (1 - math.exp(-2 * math.pi * 400 * T)) * 4, rel=1e-8)


def test_limit_and_units(check_units: Any) -> None:
    assert evaluate(LAG, i=12.0, r=100.0)["d_i"] == 0
    check_units(LAG, i=3.0, r=100.0)
