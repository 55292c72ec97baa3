"""Symbolic LU against NumPy on random sparse matrices, and its count of operations."""

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.maths.sparse_lu import SparseLU

pytestmark = pytest.mark.vm


def symbols(pattern: np.ndarray) -> ca.SX:
    """A matrix of symbols where `pattern` is true."""
    return ca.SX.sym("a", ca.sparsify(ca.DM(pattern.astype(float))).sparsity())


def dominant(rng: np.random.Generator, n: int, density: float) -> np.ndarray:
    """Random, sparse, with a diagonal that does not vanish."""
    matrix = np.where(rng.random((n, n)) < density, rng.normal(size=(n, n)), 0.0)
    np.fill_diagonal(matrix, np.abs(matrix).sum(axis=1) + 1)
    return matrix


@given(seed=st.integers(0, 10**6), n=st.integers(1, 25), density=st.floats(0, 1), columns=st.integers(1, 3))
def test_solves_as_numpy_does(seed: int, n: int, density: float, columns: int) -> None:
    rng = np.random.default_rng(seed)
    matrix, right = dominant(rng, n, density), rng.normal(size=(n, columns))
    a, b = symbols(matrix != 0), ca.SX.sym("b", n, columns)
    solve = ca.Function("solve", [a, b], [SparseLU(a).solve(b)])
    np.testing.assert_allclose(np.asarray(solve(matrix, right)), np.linalg.solve(matrix, right), rtol=1e-10, atol=1e-12)


def operations(pattern: np.ndarray) -> int:
    a, b = symbols(pattern), ca.SX.sym("b", len(pattern))
    return int(ca.Function("solve", [a, b], [SparseLU(a).solve(b)]).n_nodes()) - int(pattern.sum()) - len(pattern)


@pytest.mark.parametrize("n", [10, 40])
def test_cost_of_a_tridiagonal_system_is_linear(n: int) -> None:
    """8 n operations by hand (Thomas: n inverses, 2 n to factorise, 2 n forward, 3 n back), outputs included."""
    pattern = np.abs(np.subtract.outer(np.arange(n), np.arange(n))) <= 1
    assert operations(pattern) <= 10 * n


@pytest.mark.parametrize("n", [10, 40])
def test_an_arrow_is_eliminated_from_its_tip(n: int) -> None:
    """Dense first row and column: in the given order it fills completely, by least degree not at all."""
    pattern = np.eye(n, dtype=bool)
    pattern[0, :] = pattern[:, 0] = True
    a = symbols(pattern)
    lu = SparseLU(a)
    assert lu.order[-1] == 0 or lu.order[-2] == 0
    assert operations(pattern) <= 10 * n


def test_structural_zeros_that_only_look_like_entries_are_dropped() -> None:
    a = ca.SX.sym("a", 3)
    full = ca.densify(ca.diag(a))
    solution = ca.Function("s", [a], [SparseLU(full).solve(ca.SX([1, 2, 3]))])
    assert solution.n_nodes() <= 3 + 3 + 3 + 3 + 3
    np.testing.assert_allclose(np.asarray(solution([2, 4, 8])).ravel(), [0.5, 0.5, 0.375])


def test_mass_matrix_form_leaves_a_core_of_the_velocities() -> None:
    """States tied to one velocity each are eliminated before the velocities, whatever their position."""
    joints, local = 6, 5
    n = joints * (local + 1)
    pattern = np.eye(n, dtype=bool)
    velocity = [k * (local + 1) + 2 for k in range(joints)]
    for v in velocity:
        pattern[np.ix_([v], velocity)] = True
        start = v - 2
        for k in range(start, start + local + 1):
            pattern[k, v] = pattern[v, k] = True
    assert set(SparseLU(symbols(pattern)).order[-joints + 1 :]) <= set(velocity)
