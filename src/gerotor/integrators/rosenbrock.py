"""Rosenbrock methods on the coupled system, exact Jacobian, one factorisation a step.

With a = E(x)^-1 F(x) and J = d(F - E a)/dx at the step's start, a held constant,

    (E/(g h) - J) U_i = E [f(x + sum_j a_ij U_j, t + alpha_i h) + sum_j c_ij/h U_j] + gamma_i h F_t
    x+ = x + sum_i m_i U_i,   e = sum_i e_i U_i,   f = E^-1 F                             (1)

Source: [hairer1996, sec. IV.7], in its form without matrix-vector products.
"""

from dataclasses import dataclass
from math import sqrt
from typing import ClassVar

import casadi as ca

from gerotor.core.ode import Ode
from gerotor.errors import ParameterError
from gerotor.integrators.base import Integrator, Step, Symbols
from gerotor.maths.sparse_lu import SparseLU


@dataclass(frozen=True)
class Tableau:
    """Coefficients of (1); rows of `a` and `c` are the strictly lower triangles."""

    g: float
    a: tuple[tuple[float, ...], ...]
    c: tuple[tuple[float, ...], ...]
    m: tuple[float, ...]
    alpha: tuple[float, ...]
    gamma: tuple[float, ...]
    e: tuple[float, ...]  # weights of x+ less those of the embedded formula of the order below

    def __post_init__(self) -> None:
        sizes = {len(self.m), len(self.e), len(self.alpha), len(self.gamma), len(self.a), len(self.c)}
        if len(sizes) != 1 or any(len(r) != i for rows in (self.a, self.c) for i, r in enumerate(rows)):
            raise ParameterError("Rosenbrock tableau: rows do not fit the number of stages")


class Rosenbrock(Integrator):
    """A method given by its tableau."""

    tableau: ClassVar[Tableau]
    l_stable = True

    def build(self, ode: Ode) -> Step:
        s, b = Symbols(ode), self.tableau
        f = ode.function("rate", ode.rate)
        held = ca.SX.sym("a", len(ode.states))
        residual = ode.force - ode.mass @ held
        jacobian, slope = (
            ca.substitute(ca.jacobian(residual, z), held, ode.rate) for z in (ode.x, ode.t)
        )
        lu = SparseLU(ode.mass / (b.g * s.h) - jacobian)
        stages: list[ca.SX] = []
        for i in range(len(b.m)):
            if any(b.a[i]):
                x_i = s.x + sum(a * U for a, U in zip(b.a[i], stages, strict=True))
                right = ode.mass @ f(x_i, s.u, s.p, s.t + b.alpha[i] * s.h)
            elif b.alpha[i]:
                right = ode.mass @ f(s.x, s.u, s.p, s.t + b.alpha[i] * s.h)
            else:
                right = ode.force
            if any(b.c[i]):
                right += ode.mass @ (sum(c * U for c, U in zip(b.c[i], stages, strict=True)) / s.h)
            stages.append(lu.solve(right + b.gamma[i] * s.h * slope))
        moved, error = (sum(k * U for k, U in zip(weights, stages, strict=True)) for weights in (b.m, b.e))
        return Step(s.step(s.x + moved, error))  # (1)


_G = 1 - 1 / sqrt(2)


@dataclass(frozen=True)
class ROS2(Rosenbrock):
    """Two stages, order 2, L-stable. Source: [verwer1999]."""

    name = "ros2"
    order = 2
    tableau = Tableau(
        g=_G,
        a=((), (1 / _G,)),
        c=((), (-2 / _G,)),
        m=(1.5 / _G, 0.5 / _G),
        alpha=(0.0, 1.0),
        gamma=(_G, -_G),
        e=(0.5 / _G, 0.5 / _G),
    )


@dataclass(frozen=True)
class Rodas3(Rosenbrock):
    """Four stages, order 3, L-stable, stiffly accurate. Source: [sandu1997]."""

    name = "rodas3"
    order = 3
    tableau = Tableau(
        g=0.5,
        a=((), (0.0,), (2.0, 0.0), (2.0, 0.0, 1.0)),
        c=((), (4.0,), (1.0, -1.0), (1.0, -1.0, -8 / 3)),
        m=(2.0, 0.0, 1.0, 1.0),
        alpha=(0.0, 0.0, 1.0, 1.0),
        gamma=(0.5, 1.5, 0.0, 0.0),
        e=(0.0, 0.0, 0.0, 1.0),
    )


_ROW5 = (1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950)


@dataclass(frozen=True)
class Rodas4(Rosenbrock):
    """Six stages, order 4, L-stable, stiffly accurate. Source: [hairer1996, sec. IV.7, RODAS]."""

    name = "rodas4"
    order = 4
    tableau = Tableau(
        g=0.25,
        a=(
            (),
            (1.544,),
            (0.9466785280815826, 0.2557011698983284),
            (3.314825187068521, 2.896124015972201, 0.9986419139977817),
            _ROW5,
            (*_ROW5, 1.0),
        ),
        c=(
            (),
            (-5.6688,),
            (-2.430093356833875, -0.2063599157091915),
            (-0.1073529058151375, -9.594562251023355, -20.47028614809616),
            (7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160),
            (8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054),
        ),
        m=(*_ROW5, 1.0, 1.0),
        alpha=(0.0, 0.386, 0.21, 0.63, 1.0, 1.0),
        gamma=(0.25, -0.1043, 0.1035, -0.0362, 0.0, 0.0),
        e=(0.0, 0.0, 0.0, 0.0, 0.0, 1.0),
    )
