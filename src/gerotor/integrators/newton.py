"""Newton's method on one implicit stage, a fixed number of iterations, exact Jacobian.

    R(Y) = E(Y) (Y - b) - c F(Y, u, p, t) = 0,   Y <- Y - (dR/dY)^-1 R                    (1)
    dY = -(dR/dY)^-1 (dR/db db + dR/dc dc + dR/du du + dR/dp dp + dR/dt dt)               (2)

Every diagonally implicit method is a chain of such stages with its own b and c. Where E depends on
the state, one iteration is of order 1 only; two reach order 2. Derivatives of a stage are those of
its solution, (2), not of the iterations: one more factorisation, exact where these have converged.

What such a method may be wrong by is half its difference to an explicit Euler step, and what Newton's
iteration changed last:

    e = |x+ - x - h f(x)| / 2 + |last change|                                             (3)
"""

from typing import Any

import casadi as ca

from gerotor.core.ode import Ode
from gerotor.errors import ParameterError
from gerotor.integrators.base import Symbols
from gerotor.maths.as_written import as_written
from gerotor.maths.sparse_lu import SparseLU


def newton_error(ode: Ode, s: Symbols, x_next: Any, change: Any) -> Any:
    """(3)."""
    f = ode.function("rate", ode.rate)(s.x, s.u, s.p, s.t)
    return ca.fabs(x_next - s.x - s.h * f) / 2 + ca.fabs(change)


_INPUTS = ["Y0", "b", "c", "u", "p", "t"]


def newton_stage(ode: Ode, iterations: int) -> Any:
    """A function (Y0, b, c, u, p, t) -> Y after `iterations` of (1), and their last change."""
    if not 1 <= iterations <= 20:
        raise ParameterError(f"iterations = {iterations}: must be between 1 and 20")
    n = len(ode.states)
    base, c = ca.SX.sym("b", n), ca.SX.sym("c")
    residual = ode.mass @ (ode.x - base) - c * ode.force
    lu = SparseLU(ca.jacobian(residual, ode.x))
    arguments = [ode.x, base, c, ode.u, ode.p, ode.t]
    with as_written():
        once = ca.Function("newton", arguments, [ode.x - lu.solve(residual)], {"cse": True})  # (1)
    y, b, k = ca.MX.sym("y", n), ca.MX.sym("b", n), ca.MX.sym("c")
    u, p, t = ca.MX.sym("u", ode.u.numel()), ca.MX.sym("p", ode.p.numel()), ca.MX.sym("t")
    result = before = y
    for _ in range(iterations):
        before, result = result, once(result, b, k, u, p, t)
    given = [base, c, ode.u, ode.p, ode.t]
    slopes = [lu.solve(-ca.jacobian(residual, g)) if g.numel() else ca.SX(n, 0) for g in given]  # (2)
    flat = [ca.SX(n, size) for size in (n, *(g.numel() for g in given))]  # the last change: not differentiated
    solution = ca.Function(
        "jac_stage", [ca.SX.sym("Y0", n), *given, ode.x, ca.SX.sym("change", n)], [ca.SX(n, n), *slopes, *flat],
        [*_INPUTS, "out_Y", "out_change"], [f"jac_{out}_{name}" for out in ("Y", "change") for name in _INPUTS], {"cse": True},
    )
    options: dict[str, Any] = {
        "custom_jacobian": solution, "enable_forward": False, "enable_reverse": False, "never_inline": True,
    }
    chain: list[Any] = [y, b, k, u, p, t]
    return ca.Function("stage", chain, [result, result - before], _INPUTS, ["Y", "change"], options)
