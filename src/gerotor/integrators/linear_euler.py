"""Linearly implicit Euler: one linear solve a step with the exact Jacobian of the coupled system."""

from dataclasses import dataclass
from typing import Any

import casadi as ca

from gerotor.core.ode import Ode
from gerotor.integrators.base import Integrator, Step, Symbols
from gerotor.maths.as_written import as_written
from gerotor.maths.sparse_lu import SparseLU


@dataclass(frozen=True)
class LinearEuler(Integrator):
    """(E(x) - h dF/dx) d = h (F + h dF/dt),  x+ = x + d                                  (1)

    e = |d - h f(x)| / 2 + |Newton's next correction of the implicit step|                (2)

    Order 1, L-stable, one factorisation and two solves. Source: [deuflhard1987].
    """

    name = "linear-euler"
    order = 1
    l_stable = True

    def build(self, ode: Ode) -> Step:
        s = Symbols(ode)
        matrix = SparseLU(ode.mass - s.h * ode.jacobian)
        d = matrix.solve(s.h * (ode.force + s.h * ca.jacobian(ode.force, ode.t)))  # (1)
        at = ca.SX.sym("at", len(ode.states))
        mass, force = ca.substitute([ode.mass, ode.force], [ode.x, ode.t], [at, ode.t + s.h])
        correction = ca.substitute(matrix.solve(mass @ d - s.h * force), at, s.x + d)
        error = ca.fabs(d - s.h * ode.rate) / 2 + ca.fabs(correction)  # (2)
        return Step(s.step(s.x + d, error))


def linear_euler_step(ode: Ode, parts: tuple[int, ...] = (1,)) -> Any:
    """(x, u, p, t, h) -> the step (1) of length h/j for every j in `parts`, sharing F and its Jacobian."""
    s = Symbols(ode)
    jacobian, slope = ode.jacobian, ca.jacobian(ode.force, ode.t)
    out = []
    for j in parts:
        h = s.h / j
        out.append(s.x + SparseLU(ode.mass - h * jacobian).solve(h * (ode.force + h * slope)))  # (1)
    with as_written():
        return ca.Function("linear_euler", [s.x, s.u, s.p, s.t, s.h], out, {"cse": True})
