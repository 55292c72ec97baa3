"""Implicit Euler with full Newton iteration: order 1, L-stable, the last resort."""

from dataclasses import dataclass

import casadi as ca

from gerotor.core.ode import Ode
from gerotor.integrators.base import Integrator, Step, Symbols
from gerotor.integrators.newton import newton_error, newton_stage


@dataclass(frozen=True)
class ImplicitEuler(Integrator):
    """x+ = x + h f(x+, t + h)                                                            (1)"""

    name = "implicit-euler"
    order = 1
    l_stable = True
    iterations: int = 3

    def build(self, ode: Ode) -> Step:
        s = Symbols(ode, kind=ca.MX)
        stage = newton_stage(ode, self.iterations)
        x_next, change = stage(s.x, s.x, s.h, s.u, s.p, s.t + s.h)  # (1)
        return Step(s.step(x_next, newton_error(ode, s, x_next, change)))
