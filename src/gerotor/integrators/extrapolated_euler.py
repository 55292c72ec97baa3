"""Extrapolated linearly implicit Euler, the engine's default: coupled, L-stable, any order."""

from dataclasses import dataclass
from typing import ClassVar

import casadi as ca

from gerotor.core.ode import Ode
from gerotor.errors import ParameterError
from gerotor.integrators.base import Integrator, Step, Symbols
from gerotor.integrators.linear_euler import linear_euler_step


@dataclass(frozen=True)
class ExtrapolatedEuler(Integrator):
    """T[j,1]: j linearly implicit Euler steps of h/j, for j = 1 ... k
    T[j,i+1] = T[j,i] + (T[j,i] - T[j-1,i]) / (j/(j-i) - 1),  x+ = T[k,k]                (1)

    e = T[k,k] - T[k,k-1]: the error of the last column but one                           (2)
    Order k. Source: [deuflhard1987]; [hairer1996, sec. IV.9].
    """

    name = "extrapolated"
    order = 2
    l_stable = True
    k: ClassVar[int] = 2

    def build(self, ode: Ode) -> Step:
        if not 2 <= self.k <= 6:
            raise ParameterError(f"extrapolated.order = {self.k}: must be between 2 and 6")
        s = Symbols(ode, kind=ca.MX)
        begin = linear_euler_step(ode, tuple(range(1, self.k + 1)))
        euler = linear_euler_step(ode)
        first = begin(s.x, s.u, s.p, s.t, s.h)
        previous: list[ca.MX] = []
        for j in range(1, self.k + 1):
            x, h = first[j - 1], s.h / j
            for i in range(1, j):
                x = euler(x, s.u, s.p, s.t + i * h, h)
            row = [x]
            for i in range(1, j):
                row.append(row[-1] + (row[-1] - previous[i - 1]) / (j / (j - i) - 1))  # (1)
            previous = row
        return Step(s.step(previous[-1], previous[-1] - previous[-2]))  # (2)


@dataclass(frozen=True)
class ExtrapolatedEuler3(ExtrapolatedEuler):
    """The same with k = 3: order 3, for smooth problems and tight errors."""

    name = "extrapolated-3"
    order = 3
    k = 3
