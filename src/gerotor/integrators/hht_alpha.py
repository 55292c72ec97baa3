"""Non-iterative HHT-alpha, block by block: the method of the pipe-cutting simulator.

With beta = (1-alpha)^2/4, gamma = 1/2 - alpha, r = v + h/2 (1 - 2 beta/gamma) a, and f evaluated with
the newest values of the blocks before (staggered), a second-order block (mass m) takes

    [m - beta h^2 Jx - gamma h Jv] dv = h f + gamma h^2 Jx r                 paper form   (1)
    [m - beta h^2 Jx - gamma h Jv] dv = gamma h f + (1-gamma) h m a + gamma h^2 Jx r
                                                                        consistent form   (2)
    Jx = (1+alpha) df/dx - d(m a)/dx,   Jv = (1+alpha) df/dv
    x+ = x + h (r + beta/gamma dv),   v+ = v + dv,   a+ = a + (dv/h - a)/gamma            (3)

and a first-order block [1 - gamma h (1+alpha) df/dy] dy = h f, or the consistent right side with
the carried rate. (1) assumes m a = f, is a linearly implicit theta-method with
theta = gamma (1+alpha) and of order 1; (2) is of order 2 where there is one block, for which it also
weights the change of the mass by 1+alpha, d(m a)/dx in Jx: the printed weight 1 loses order 2 where
m depends on x.

The error of a step is watched, not acted on: h^2 (beta - 1/6) (a+ - a) in x, h (gamma - 1/2) (a+ - a)
in v [zienkiewicz1991] (4); a first-order block without a carried rate has none.

`coupling` adds to Jv how the blocks before react to this block's velocity (the oil spring), which
the printed method leaves out. Source: [kim2021, eq. 13-28], acceleration update of (16) with
1/gamma as in (28), and the valve's mass 1 instead of the printed 1/omega^2.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Expression
from gerotor.core.ode import Block, Ode
from gerotor.errors import ParameterError
from gerotor.integrators.base import Integrator, Step, Symbols
from gerotor.maths.sparse_lu import SparseLU


@dataclass(frozen=True)
class HHTAlpha(Integrator):
    """Staggered; cost of a step is fixed: one small factorisation a block."""

    name = "hht-alpha"
    order = 1
    alpha: float = -0.1
    consistent: bool = False
    coupling: bool = False

    def __post_init__(self) -> None:
        if not -1 / 3 <= self.alpha <= 0:
            raise ParameterError(f"hht-alpha.alpha = {self.alpha:g}: must be between -1/3 and 0")

    def build(self, ode: Ode) -> Step:
        carried = [i for b in ode.blocks if b.second_order or self.consistent for i in b.v]
        s = Symbols(ode, memory=len(carried))
        rate = {i: s.m[k] for k, i in enumerate(carried)}
        new = [s.x[i] for i in range(len(ode.states))]
        error = [ca.SX(0)] * len(ode.states)
        before = dict(rate)
        for block in ode.blocks:
            if block.rate is not None:
                raise ParameterError(f"hht-alpha: {block.name} has joints that can be locked; use a coupled method")
            self._advance(ode, s, block, new, rate)
            self._watch(s.h, block, before, rate, error)
        memory = ca.vertcat(*[rate[i] for i in carried]) if carried else s.m
        start = ode.function("start", ode.rate[carried] if carried else ca.SX(0, 1))
        step = s.step(ca.vertcat(*new), ca.vertcat(*error), memory)
        return Step(step, memory=len(carried), start=start, divisible=False)

    def _watch(self, h: Expression, block: Block, before: dict[int, Expression], after: dict[int, Expression],
               error: list[Expression]) -> None:
        beta, gamma = (1 - self.alpha) ** 2 / 4, 0.5 - self.alpha
        for k, i in enumerate(block.v):
            if i in after:
                change = after[i] - before[i]
                error[i] = h * (gamma - 0.5) * change  # (4)
                if block.second_order:
                    error[block.q[k]] = h**2 * (beta - 1 / 6) * change  # (4)

    def _advance(self, ode: Ode, s: Symbols, block: Block, new: list[Expression], rate: dict[int, Expression]) -> None:
        """Replace the block's entries of `new` and `rate` by their values at the end of the step."""
        alpha, h = self.alpha, s.h
        beta, gamma = (1 - alpha) ** 2 / 4, 0.5 - alpha
        newest = ca.vertcat(*new)

        def at_newest(expression: Expression) -> Expression:
            return ca.substitute(expression, ode.x, newest)

        v = ca.vertcat(*[ode.x[i] for i in block.v])
        mass = ca.SX.eye(len(block.v)) if block.mass is None else at_newest(block.mass)
        f = at_newest(block.force)
        slope = at_newest(ca.jacobian(block.force, ode.t))
        right = h * f + gamma * (1 + alpha) * h**2 * slope
        a = ca.vertcat(*[rate.get(i, ca.SX(0)) for i in block.v])
        if self.consistent:
            right = gamma * h * f + (1 - gamma) * h * mass @ a + gamma * (1 + alpha) * h**2 * slope  # (2)
        partial_v = at_newest(ca.jacobian(block.force, v))
        jacobian_v = (1 + alpha) * partial_v
        if self.coupling and block.second_order:
            jacobian_v += gamma * (ca.jacobian(f, v) - partial_v)
        if not block.second_order:
            dv = SparseLU(mass - gamma * h * jacobian_v).solve(right)
        else:
            q = ca.vertcat(*[ode.x[i] for i in block.q])
            r = v + h / 2 * (1 - 2 * beta / gamma) * a
            jacobian_q = (1 + alpha) * at_newest(ca.jacobian(block.force, q))
            if block.mass is not None:
                held = ca.SX.sym("a", len(block.v))
                inertia = ca.substitute(ca.jacobian(block.mass @ held, q), held, a)
                jacobian_q -= (1 + alpha if self.consistent else 1) * at_newest(inertia)
            lu = SparseLU(mass - beta * h**2 * jacobian_q - gamma * h * jacobian_v)
            dv = lu.solve(right + gamma * h**2 * jacobian_q @ r)  # (1)
            for k, i in enumerate(block.q):
                new[i] = s.x[i] + h * (r[k] + beta / gamma * dv[k])  # (3)
        for k, i in enumerate(block.v):
            new[i] = s.x[i] + dv[k]
            if i in rate:
                rate[i] = rate[i] + (dv[k] / h - rate[i]) / gamma
