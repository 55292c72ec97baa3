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

    e = (E(x) - h dF/dx)^-1 (E(x+) d - h F(x+, t + h))                                    (2)

    Order 1, L-stable, one factorisation and two solves: the most robust step there is here. (2) is
    Newton's next correction: how far the step is from being implicit, not from being exact.
    Source: [deuflhard1987].
    """

    name = "linear-euler"
    order = 1
    l_stable = True

    def build(self, ode: Ode) -> Step:
        s, lu = Symbols(ode), SparseLU
        matrix = lu(ode.mass - s.h * ode.jacobian)
        d = matrix.solve(s.h * (ode.force + s.h * ca.jacobian(ode.force, ode.t)))  # (1)
        at = ca.SX.sym("at", len(ode.states))
        mass, force = ca.substitute([ode.mass, ode.force], [ode.x, ode.t], [at, ode.t + s.h])
        error = ca.substitute(matrix.solve(mass @ d - s.h * force), at, s.x + d)  # (2)
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
