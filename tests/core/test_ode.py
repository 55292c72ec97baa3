import casadi as ca
import numpy as np
import pytest

from gerotor.errors import WiringError
from tests.integrators.problems import driven_pendulum

pytestmark = pytest.mark.vm
X = np.array([0.4, -0.3, 0.2, 0.5, 0.1])


def test_mass_matrix_form() -> None:
    """E x' = F, worked by hand with NumPy from the equations of the problem."""
    ode = driven_pendulum()
    q1, q2, v1, v2, z = X
    mass = np.array([[3 + 2 * np.cos(q2), 1 + np.cos(q2)], [1 + np.cos(q2), 1.5]])
    force = [
        np.sin(q2) * v2 * (2 * v1 + v2) - 4 * np.sin(q1) - 0.3 * v1 + z,
        -np.sin(q2) * v1**2 - 2 * np.sin(q1 + q2) - 0.2 * v2 + np.sin(1.4),
    ]
    expected = np.concatenate([[v1, v2], np.linalg.solve(mass, force), [-2 * z + np.cos(0.7) - 0.5 * v1]])
    np.testing.assert_allclose(ode.derivative_at(X, t=0.7), expected, rtol=1e-13)
    F, E = ode.function("f", ode.force, ode.mass)(X, [], [], 0.7)
    np.testing.assert_allclose(np.linalg.solve(np.asarray(ca.densify(E)), np.asarray(F).ravel()), expected, rtol=1e-13)


def test_mass_stays_sparse() -> None:
    assert driven_pendulum().mass.nnz() == 5 + 2


def test_signals_by_path() -> None:
    ode = driven_pendulum()
    assert ca.is_equal(ode.signal("z"), ode.x[4])
    with pytest.raises(WiringError, match="unknown signal 'w'; known: "):
        ode.signal("w")
