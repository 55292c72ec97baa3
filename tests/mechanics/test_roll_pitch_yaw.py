"""Angles against SciPy's rotations; rates against the derivative of the matrix."""

import casadi as ca
import numpy as np
from scipy.spatial.transform import Rotation

from gerotor.mechanics.roll_pitch_yaw import attitude, body_rate, euler_rates


def test_matrix_equals_scipy():
    phi = np.array([0.3, -0.7, 1.1])
    found = np.asarray(ca.evalf(attitude(ca.SX(phi))))
    np.testing.assert_allclose(found, Rotation.from_euler("xyz", phi).as_matrix(), atol=1e-15)


def test_rates_are_those_of_the_matrix_and_invert_each_other():
    phi, rate = ca.SX.sym("phi", 3), ca.SX.sym("rate", 3)
    R = attitude(phi)
    spin = R.T @ ca.reshape(ca.jtimes(ca.vec(R), phi, rate), 3, 3)  # R^T R' = [w]
    f = ca.Function("f", [phi, rate], [ca.vertcat(spin[2, 1], spin[0, 2], spin[1, 0]), body_rate(phi, rate)])
    g = ca.Function("g", [phi, rate], [euler_rates(phi, body_rate(phi, rate))])
    rng = np.random.default_rng(1)
    for _ in range(10):
        at, speed = rng.uniform(-1.2, 1.2, 3), rng.standard_normal(3)
        by_matrix, by_formula = f(at, speed)
        np.testing.assert_allclose(np.asarray(by_formula), np.asarray(by_matrix), atol=1e-13)
        np.testing.assert_allclose(np.ravel(g(at, speed)), speed, atol=1e-12)
