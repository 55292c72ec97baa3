import math

import casadi as ca
import numpy as np
import pytest

from gerotor.control.position_loop import position_loop
from gerotor.errors import ParameterError

NAMES = {"measured": ["q"], "reference": ["r"], "reference_velocity": ["rv"], "reference_acceleration": ["ra"], "command": ["u"]}


def step(loop, state, read):
    d, w = loop.update(ca.DM(state), ca.DM(read), 0.0)
    return np.array(ca.DM(ca.evalf(d))).ravel(), np.array(ca.DM(ca.evalf(w))).ravel()


def test_two_samples_by_hand() -> None:
    loop = position_loop("p", period=0.001, **NAMES, Kp=100, Ki=1000, inertia=2, viscous=3, coulomb=5,
                         coulomb_velocity=1e-3, start=7)
    d, u = step(loop, [7, 7], [0.1, 0.3, 0.5, 4.0])
    assert u[0] == pytest.approx(100 * 0.2 + 7 + 2 * 4 + 3 * 0.5 + 5)
    assert d[0] == pytest.approx(7 + 0.001 * 1000 * 0.2)
    assert [e.start for e in loop.states] == [7, 7]


def test_non_finite_set_point_keeps_the_last_command_and_integral() -> None:
    loop = position_loop("p", period=0.001, **NAMES, Kp=100, Ki=1000)
    d, u = step(loop, [3, 11], [0.1, math.nan, 0, 0])
    assert (d[0], u[0]) == (3, 11)


def test_integral_is_limited() -> None:
    loop = position_loop("p", period=0.001, **NAMES, Kp=0, Ki=1e6, integral_limit=2)
    assert step(loop, [0, 0], [0, 1, 0, 0])[0][0] == 2


def test_coupled_coordinates_and_wrong_sizes() -> None:
    names = {k: [f"{v[0]}{i}" for i in range(2)] for k, v in NAMES.items()}
    loop = position_loop("p", period=0.001, **names, Kp=1, Ki=0, coordinates=[[1, 0], [1, 1]])
    assert step(loop, [0] * 4, [1, 2, 0, 0, 0, 0, 0, 0])[1] == pytest.approx([-1, -3])
    with pytest.raises(ParameterError, match="must be 2 x 2"):
        position_loop("p", period=0.001, **names, Kp=1, Ki=0, coordinates=np.eye(3))
    with pytest.raises(ParameterError, match="as many of each"):
        position_loop("p", period=0.001, **(names | {"measured": ["q"]}), Kp=1, Ki=0)
