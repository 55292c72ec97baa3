"""The one object everything above shares: a machine as symbolic expressions.

    E(x) x' = F(x, u, p, t),   y = h(x, u, p, t)                                        (1)

kept in blocks, in a declared order: second-order blocks (q' = v, M(q) v' = f) and first-order
blocks (y' = f). Integrators read the blocks without knowing what they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from gerotor.core.component import Expression
from gerotor.core.layout import Layout
from gerotor.errors import WiringError, unknown
from gerotor.maths.sparse_lu import SparseLU


@dataclass(frozen=True)
class Block:
    """A second-order block (`q` not empty: q' = v, mass v' = force) or a first-order one (y' = force).

    `q` and `v` are positions in the state vector; a first-order block keeps its states in `v`.
    With `rate` given q' = rate, for joints that can be locked.
    """

    name: str
    v: tuple[int, ...]
    force: Expression
    q: tuple[int, ...] = ()
    mass: Expression | None = None
    rate: Expression | None = None

    @property
    def second_order(self) -> bool:
        return bool(self.q)


@dataclass(frozen=True)
class Bound:
    """The exact solution keeps state number `index` between `lower` and `upper`, expressions of parameters."""

    index: int
    lower: Expression
    upper: Expression


@dataclass(frozen=True, eq=False)
class Ode:
    """States x, inputs u, tunable parameters p, time t, outputs y."""

    name: str
    states: Layout
    inputs: Layout
    parameters: Layout
    outputs: Layout
    blocks: tuple[Block, ...]
    x: Expression
    u: Expression
    p: Expression
    t: Expression
    y: Expression
    bounds: tuple[Bound, ...] = ()

    def bounded(self, x: Expression) -> Expression:
        """A column x with every bounded state moved to its nearest bound."""
        out = [x[k] for k in range(len(self.states))]
        for b in self.bounds:
            out[b.index] = ca.fmax(ca.fmin(out[b.index], b.upper), b.lower)
        return ca.vertcat(*out) if out else x

    @cached_property
    def force(self) -> Expression:
        """F of (1): velocities for positions, forces or rates for the rest."""
        out = ca.SX(len(self.states), 1)
        for block in self.blocks:
            for k, i in enumerate(block.q):
                out[i] = self.x[block.v[k]] if block.rate is None else block.rate[k]
            for k, j in enumerate(block.v):
                out[j] = block.force[k]
        return ca.densify(out)

    @cached_property
    def mass(self) -> Expression:
        """E of (1), sparse."""
        out = ca.SX.eye(len(self.states))
        for block in self.blocks:
            if block.mass is not None:
                for a, i in enumerate(block.v):
                    for b, j in enumerate(block.v):
                        out[i, j] = block.mass[a, b]
        return ca.sparsify(out)

    @cached_property
    def rate(self) -> Expression:
        """x' solved from (1), for explicit methods and linearisation."""
        return SparseLU(self.mass).solve(self.force)

    @cached_property
    def jacobian(self) -> Expression:
        """dF/dx of (1)."""
        return ca.jacobian(self.force, self.x)

    def function(self, name: str, *outputs: Expression) -> Any:
        """A CasADi function of (x, u, p, t)."""
        return ca.Function(name, [self.x, self.u, self.p, self.t], list(outputs), {"cse": True})

    def signal(self, name: str) -> Expression:
        """The expression behind any state, input, parameter or output, by path."""
        for layout, vector in (
            (self.states, self.x), (self.inputs, self.u), (self.parameters, self.p), (self.outputs, self.y),
        ):
            if name in layout:
                return vector[layout.index(name)]
        known = self.states.names + self.inputs.names + self.parameters.names + self.outputs.names
        raise WiringError(unknown("signal", name, known))

    def derivative_at(
        self, x: Any, u: Any = None, p: Any = None, t: float = 0.0
    ) -> NDArray[np.float64]:
        """x' as numbers; inputs and parameters default to their start values."""
        u = self.inputs.array("start") if u is None else u
        p = self.parameters.array("start") if p is None else p
        return np.asarray(self._rate_function(x, u, p, t)).ravel()

    @cached_property
    def _rate_function(self) -> Any:
        return self.function("rate", self.rate)
