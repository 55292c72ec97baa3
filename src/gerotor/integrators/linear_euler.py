"""Linearly implicit Euler: one linear solve a step with the exact Jacobian of the coupled system."""

from dataclasses import dataclass
from typing import Any

import casadi as ca

from gerotor.core.ode import Ode
from gerotor.integrators.base import Integrator, Step, Symbols
from gerotor.maths.sparse_lu import SparseLU


@dataclass(frozen=True)
class LinearEuler(Integrator):
    """(E(x) - h dF/dx) d = h (F + h dF/dt),  x+ = x + d                                  (1)

    Order 1, L-stable, one factorisation and one solve: the most robust step there is here.
    Source: [deuflhard1987].
    """

    name = "linear-euler"
    order = 1
    l_stable = True

    def build(self, ode: Ode) -> Step:
        return Step(linear_euler_step(ode))


def linear_euler_step(ode: Ode) -> Any:
    """The step (1) as an SX function."""
    s = Symbols(ode)
    lu = SparseLU(ode.mass - s.h * ca.jacobian(ode.force, ode.x))
    right = s.h * (ode.force + s.h * ca.jacobian(ode.force, ode.t))
    return s.step(s.x + lu.solve(right), name="linear_euler")  # (1)
