"""Implicit trapezoid with Newton iteration, monolithic."""

from dataclasses import dataclass

import casadi as ca

from gerotor.core.ode import Ode
from gerotor.integrators.base import Integrator, Step, Symbols
from gerotor.integrators.newton import newton_error, newton_stage


@dataclass(frozen=True)
class Trapezoid(Integrator):
    """x+ = x + h/2 (f(x, t) + f(x+, t + h))                                              (1)

    Order 2, A-stable but not L-stable. Source: [khadim2021, eq. 16-19].
    """

    name = "trapezoid"
    order = 2
    iterations: int = 3

    def build(self, ode: Ode) -> Step:
        s = Symbols(ode, kind=ca.MX)
        f = ode.function("rate", ode.rate)
        base = s.x + s.h / 2 * f(s.x, s.u, s.p, s.t)
        stage = newton_stage(ode, self.iterations)
        x_next, change = stage(s.x, base, s.h / 2, s.u, s.p, s.t + s.h)  # (1)
        return Step(s.step(x_next, newton_error(ode, s, x_next, change)))
