"""Classical Runge-Kutta method of order 4, explicit."""

from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Expression
from gerotor.core.ode import Ode
from gerotor.integrators.base import Integrator, Step, Symbols


@dataclass(frozen=True)
class RK4(Integrator):
    """k1 = f(x), k2 = f(x + h/2 k1), k3 = f(x + h/2 k2), k4 = f(x + h k3)
    x+ = x + h/6 (k1 + 2 k2 + 2 k3 + k4)                                                 (1)
    e = h/6 (k1 - 4 k2 + 2 k3 + k4): the error of the midpoint rule within               (2)

    As its source gives it: a step with too large an error is counted, not repeated.
    """

    name = "rk4"
    order = 4

    def build(self, ode: Ode) -> Step:
        s = Symbols(ode, kind=ca.MX)
        x_next, error, _ = rk4_stages(ode, s)
        return Step(s.step(x_next, error), divisible=False)


def rk4_stages(ode: Ode, s: Symbols) -> tuple[Expression, Expression, Expression]:
    """The new state, its error, and the derivative at the old one."""
    f = ode.function("rate", ode.rate)
    k1 = f(s.x, s.u, s.p, s.t)
    k2 = f(s.x + s.h / 2 * k1, s.u, s.p, s.t + s.h / 2)
    k3 = f(s.x + s.h / 2 * k2, s.u, s.p, s.t + s.h / 2)
    k4 = f(s.x + s.h * k3, s.u, s.p, s.t + s.h)
    return s.x + s.h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), s.h / 6 * (k1 - 4 * k2 + 2 * k3 + k4), k1  # (1), (2)
