"""Adams-Bashforth method of order 3, explicit, started by two RK4 steps."""

from dataclasses import dataclass

import casadi as ca

from gerotor.core.ode import Ode
from gerotor.integrators.base import Integrator, Step, Symbols
from gerotor.integrators.rk4 import rk4_stages


@dataclass(frozen=True)
class AB3(Integrator):
    """x+ = x + h/12 (23 f_n - 16 f_{n-1} + 5 f_{n-2})                                    (1)

    e = 5 h/12 (f_n - 2 f_{n-1} + f_{n-2}): the difference to order 2                     (2)

    One evaluation a step; the memory holds f_{n-1} and f_{n-2}, so a step cannot be repeated in parts.
    """

    name = "ab3"
    order = 3

    def build(self, ode: Ode) -> Step:
        n = len(ode.states)
        f = ode.function("rate", ode.rate)
        s = Symbols(ode, memory=2 * n, kind=ca.MX)
        f0, f1, f2 = f(s.x, s.u, s.p, s.t), s.m[:n], s.m[n:]
        x_next = s.x + s.h / 12 * (23 * f0 - 16 * f1 + 5 * f2)  # (1)
        error = 5 / 12 * s.h * (f0 - 2 * f1 + f2)  # (2)
        x_warm, e_warm, f_warm = rk4_stages(ode, s)
        return Step(
            step=s.step(x_next, error, ca.vertcat(f0, f1)),
            memory=2 * n,
            start=ode.function("start", ca.SX.zeros(2 * n)),
            warm=s.step(x_warm, e_warm, ca.vertcat(f_warm, f1), "warm"),
            warmup=2,
            divisible=False,
        )
