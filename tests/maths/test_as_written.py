import casadi as ca
import numpy as np

from gerotor.maths.as_written import as_written
from gerotor.maths.sparse_lu import SparseLU


def divisions(function) -> int:
    return sum(function.instruction_id(k) in (ca.OP_DIV, ca.OP_INV) for k in range(function.n_instructions()))


def test_a_factorisation_divides_once_a_pivot() -> None:
    a, b = ca.SX.sym("a", 5, 5), ca.SX.sym("b", 5)
    solution = SparseLU(a).solve(b)
    with as_written():
        function = ca.Function("f", [a, b], [solution], {"cse": True})
    assert divisions(function) == 5
    rng = np.random.default_rng(1)
    A, B = rng.normal(size=(5, 5)) + 5 * np.eye(5), rng.normal(size=5)
    assert np.allclose(np.array(function(A, B)).ravel(), np.linalg.solve(A, B))


def test_simplification_comes_back() -> None:
    x = ca.SX.sym("x")
    with as_written():
        assert not (x * 0).is_constant()
    assert (x * 0).is_constant()
