"""Singly diagonally implicit Runge-Kutta method of order 2 with full Newton iteration.

For places where a linearly implicit step from rest overshoots, such as a turbulent resistance
whose slope vanishes at zero flow.
"""

from dataclasses import dataclass
from math import sqrt

import casadi as ca

from gerotor.core.ode import Ode
from gerotor.integrators.base import Integrator, Step, Symbols
from gerotor.integrators.newton import newton_error, newton_stage

G = 1 - 1 / sqrt(2)


@dataclass(frozen=True)
class SDIRK2(Integrator):
    """Y1 = x + h G f(Y1, t + G h)
    Y2 = x + h (1-G) f(Y1) + h G f(Y2, t + h),  x+ = Y2,  G = 1 - 1/sqrt(2)               (1)

    L-stable, stiffly accurate. Source: [alexander1977].
    """

    name = "sdirk2"
    order = 2
    l_stable = True
    iterations: int = 3

    def build(self, ode: Ode) -> Step:
        s = Symbols(ode, kind=ca.MX)
        stage = newton_stage(ode, self.iterations)
        y1, first = stage(s.x, s.x, G * s.h, s.u, s.p, s.t + G * s.h)
        base = s.x + (1 - G) / G * (y1 - s.x)
        y2, second = stage(y1, base, G * s.h, s.u, s.p, s.t + s.h)
        return Step(s.step(y2, newton_error(ode, s, y2, ca.fabs(first) + ca.fabs(second))))  # (1)
