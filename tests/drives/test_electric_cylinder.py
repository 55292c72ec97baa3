"""Closed loop of one leg: printed poles, gain and equivalent delay."""

import casadi as ca
import numpy as np
import pytest

from gerotor.core.component import Signals
from gerotor.drives.electric_cylinder import ElectricCylinder
from gerotor.errors import ParameterError

RIG = {
    "lead": 0.010, "resistance": 0.8, "inductance": 5e-3, "torque_constant": 0.65, "rotor_inertia": 3.0e-3, "rotor_damping": 2e-3,
    "position_gain": 70.0, "velocity_gain": 1.5443, "velocity_integral": 80.86,
    "current_gain": 12.566, "current_integral": 2010.6,
}


def closed_loop(load, **changes):
    """A, B of x' = A x + B r with x = (l, v, i, a, b), and the output l."""
    cylinder = ElectricCylinder(**(RIG | changes))
    x, r = ca.SX.sym("x", 5), ca.SX.sym("r")
    state, inputs = Signals(i=x[2], a=x[3], b=x[4]), Signals(r=r, l=x[0], v=x[1])
    force = cylinder.output(state, inputs).f
    rates = cylinder.derivative(state, inputs)
    full = ca.vertcat(x[1], force / (load + cylinder.reflected_mass), rates.i, rates.a, rates.b)
    A, B = ca.Function("ab", [x, r], [ca.jacobian(full, x), ca.jacobian(full, r)])(np.zeros(5), 0)
    return np.asarray(A), np.asarray(B)


@pytest.mark.parametrize(("load", "poles"), [
    (77.0, [-42.7, -127.5 - 79.8j, -127.5 + 79.8j, -222, -2154]),
    (680.0, [-40.9, -86.3 - 107j, -86.3 + 107j, -177, -2283]),
])
def test_poles_of_one_leg(load, poles):
    found = np.linalg.eigvals(closed_loop(load)[0])
    for expected in poles:
        digits = 0.06 if abs(expected) < 160 and abs(expected.imag) != 107 else 0.6
        assert np.abs(found - expected).min() < digits


@pytest.mark.parametrize(("hertz", "gain", "delay"), [
    (0.5, 0.999, 14.27), (1, 0.996, 14.21), (2, 0.985, 14.01), (4, 0.950, 13.37), (5, 0.930, 13.02), (10, 0.835, 11.73),
    (20, 0.639, 10.62),
])
def test_gain_and_equivalent_delay(hertz, gain, delay):
    A, B = closed_loop(77.0)
    s = 2j * np.pi * hertz
    response = np.linalg.solve(s * np.eye(5) - A, B)[0, 0]
    assert abs(response) == pytest.approx(gain, abs=6e-4)
    assert -np.angle(response) / s.imag * 1e3 == pytest.approx(delay, abs=6e-3)


def test_reflected_mass_and_range_check():
    assert ElectricCylinder(**RIG).reflected_mass == pytest.approx(1184, abs=0.5)
    with pytest.raises(ParameterError, match=r"position_gain = -1 1/s: must be above 0"):
        ElectricCylinder(**(RIG | {"position_gain": -1.0}))
