"""The tableaux against the order conditions of [hairer1996, table 7.1], in their original coefficients."""

import numpy as np
import pytest

from gerotor.errors import ParameterError
from gerotor.integrators.rosenbrock import ROS2, Rodas3, Rodas4, Rosenbrock, Tableau

pytestmark = pytest.mark.vm
METHODS = [ROS2, Rodas3, Rodas4]


def original(t: Tableau) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """alpha_ij, gamma_ij (with diagonal) and b_i: C = diag(1/g) - G^-1, a = A G^-1, m = b G^-1."""
    s = len(t.m)
    lower = [np.array([[*row, *[0.0] * (s - len(row))] for row in rows]) for rows in (t.a, t.c)]
    gamma = np.linalg.inv(np.eye(s) / t.g - lower[1])
    return lower[0] @ gamma, gamma, np.array(t.m) @ gamma


@pytest.mark.parametrize("kind", METHODS)
def test_order_conditions(kind: type[Rosenbrock]) -> None:
    g = kind.tableau.g
    A, G, b = original(kind.tableau)
    B = A + np.tril(G, -1)
    alpha, beta = A.sum(1), B.sum(1)
    conditions = {
        1: [b.sum() - 1],
        2: [b @ beta - (1 / 2 - g)],
        3: [b @ alpha**2 - 1 / 3, b @ B @ beta - (1 / 6 - g + g**2)],
        4: [b @ alpha**3 - 1 / 4, b @ (alpha * (A @ beta)) - (1 / 8 - g / 3), b @ B @ alpha**2 - (1 / 12 - g / 3),
            b @ B @ B @ beta - (1 / 24 - g / 2 + 3 / 2 * g**2 - g**3)],
    }
    for order in range(1, kind.order + 1):
        np.testing.assert_allclose(conditions[order], 0, atol=1e-12)
    assert kind.order == 4 or np.max(np.abs(conditions[kind.order + 1])) > 1e-3


@pytest.mark.parametrize("kind", METHODS)
def test_nodes_are_the_row_sums(kind: type[Rosenbrock]) -> None:
    A, G, _ = original(kind.tableau)
    np.testing.assert_allclose(A.sum(1), kind.tableau.alpha, atol=1e-12)
    np.testing.assert_allclose(G.sum(1), kind.tableau.gamma, atol=1e-12)


@pytest.mark.parametrize("kind", [Rodas3, Rodas4])
def test_stiffly_accurate(kind: type[Rosenbrock]) -> None:
    A, G, b = original(kind.tableau)
    np.testing.assert_allclose((A + G)[-1], b, atol=1e-12)
    assert A.sum(1)[-1] == pytest.approx(1)


def test_rows_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ParameterError, match="rows do not fit"):
        Tableau(0.5, ((), (1.0, 2.0)), ((), (1.0,)), (1.0, 1.0), (0.0, 1.0), (0.5, 0.0), (0.0, 1.0))
