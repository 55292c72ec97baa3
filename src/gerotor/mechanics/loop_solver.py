"""The loop equations as expressions: dependent positions, velocities, accelerations.

    g0 = round(g),   g_k+1 = g_k - (Phi^d)^-1 Phi(g_k, q^i)        a fixed number of times   (1)
    z' = R v,   R = [-(Phi^d)^-1 Phi^i; 1]                                                   (2)
    D = [-(Phi^d)^-1 (d/dt Phi_q) z'; 0]                                                     (3)
    closure = min over loops of |det Phi^d| / product of its column lengths                  (4)

Rounding the guess to 2^-20 takes it out of all derivatives (a step function has none), so that
exact Jacobians see only how q^d follows q^i. Loops that share no joint are solved each on its own.
Source: [khadim2021, eqs. 5-7].
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import casadi as ca

from gerotor.core.component import Expression
from gerotor.mechanics.loop import Loop
from gerotor.mechanics.loop_assembly import Assembled
from gerotor.mechanics.tree import Tree

_GRID = 2.0**20


class LoopSolver:
    """Phi of the conditions kept, partitioned as assembled; `parameters` are the symbols of its geometry."""

    def __init__(self, tree: Tree, loops: Sequence[Loop], assembled: Assembled, iterations: int) -> None:
        self.assembled, self.iterations, self.size = assembled, iterations, tree.size
        q, v = ca.SX.sym("q", tree.size), ca.SX.sym("v", tree.size)
        phi = ca.vertcat(*[loop.gap(tree, q) for loop in loops])[list(assembled.rows)]
        slope = ca.jacobian(phi, q)
        drift = ca.jtimes(ca.jtimes(phi, q, v), q, v)
        own = {s.name() for s in ca.symvar(q)}
        self.parameters = ca.vertcat(ca.SX(0, 1), *[s for s in ca.symvar(phi) if s.name() not in own])
        self._gap: Any = ca.Function("gap", [q, self.parameters], [phi, slope], {"cse": True})
        self._drift: Any = ca.Function("drift", [q, v, self.parameters], [drift], {"cse": True})
        self._pattern = ca.sparsify(slope[:, list(assembled.dependent)]).sparsity()

    @cached_property
    def blocks(self) -> list[tuple[list[int], list[int]]]:
        """Rows and columns of Phi^d that hang together."""
        left = set(range(self._pattern.size1()))
        entries = list(zip(*self._pattern.get_triplet(), strict=True))
        out = []
        while left:
            rows, columns = {min(left)}, set[int]()
            while True:
                columns = {j for i, j in entries if i in rows}
                grown = {i for i, j in entries if j in columns}
                if grown == rows:
                    break
                rows = grown
            left -= rows
            out.append((sorted(rows), sorted(columns)))
        return out

    def _join(self, dependent: Expression, independent: Expression) -> Expression:
        """One column (or matrix) in joint order."""
        out = ca.SX.zeros(self.size, independent.shape[1])
        out[list(self.assembled.dependent), :] = dependent
        out[list(self.assembled.independent), :] = independent
        return out

    def _solve(self, slope: Expression, right: Expression) -> Expression:
        """(Phi^d)^-1 right, block by block."""
        out = ca.SX.zeros(right.shape[0], right.shape[1])
        matrix = slope[:, list(self.assembled.dependent)]
        for rows, columns in self.blocks:
            out[columns, :] = _dense_solve(ca.densify(matrix[rows, columns]), ca.densify(right[rows, :]))
        return out

    def positions(self, q: Expression, guess: Expression) -> Expression:
        """All joint positions from the independent ones."""
        g = ca.floor(guess * _GRID + 0.5) / _GRID
        for _ in range(self.iterations):
            phi, slope = self._gap(self._join(g, q), self.parameters)
            g = g - self._solve(slope, phi)  # (1)
        return self._join(g, q)

    def velocity_map(self, z: Expression) -> tuple[Expression, Expression]:
        """R and the closure of (4)."""
        _, slope = self._gap(z, self.parameters)
        n = len(self.assembled.independent)
        R = self._join(-self._solve(slope, slope[:, list(self.assembled.independent)]), ca.SX.eye(n))  # (2)
        matrix, closure = slope[:, list(self.assembled.dependent)], ca.SX(1)
        for rows, columns in self.blocks:
            block = ca.densify(matrix[rows, columns])
            closure = ca.fmin(closure, _volume(block))  # (4)
        return R, closure

    def drift(self, z: Expression, w: Expression) -> Expression:
        """D: joint accelerations while the independent joints do not accelerate."""
        _, slope = self._gap(z, self.parameters)
        still = ca.SX.zeros(len(self.assembled.independent), 1)
        return self._join(-self._solve(slope, self._drift(z, w, self.parameters)), still)  # (3)


def _dense_solve(a: Expression, b: Expression) -> Expression:
    """By minors up to 3 x 3, else by QR: neither needs a pivot chosen by value."""
    if a.shape[0] <= 3:
        return ca.inv_minor(a) @ b
    q, r = ca.qr(a)
    return ca.solve(r, q.T @ b)


def _volume(a: Expression) -> Expression:
    """|det a| over the product of its column lengths: what Gram-Schmidt leaves of each column."""
    _, r = ca.qr(a)
    out = ca.SX(1)
    for k in range(1, a.shape[0]):
        out = out * r[k, k] / ca.sqrt(ca.sumsqr(a[:, k]) + 1e-300)
    return out
