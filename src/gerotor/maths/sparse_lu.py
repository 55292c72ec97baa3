"""Symbolic sparse LU: the factorisation is written out as expressions, zeros never touched.

The pivots stay on the diagonal, in the order of least fill (minimum degree on the pattern of
A + A'), so that states coupled only locally are eliminated locally and a small dense core is
left. Right for E - c J with E a mass matrix: its diagonal does not vanish.
"""

from __future__ import annotations

from typing import Any

import casadi as ca

from gerotor.maths.as_written import as_written

Expression = Any


class SparseLU:
    """A = L U of a square SX matrix, without pivoting by value."""

    def __init__(self, matrix: Expression) -> None:
        self.n = matrix.shape[0]
        rows: list[dict[int, Expression]] = [{} for _ in range(self.n)]
        pattern = matrix.sparsity()
        for i, j, value in zip(*pattern.get_triplet(), matrix.nonzeros(), strict=True):
            if not value.is_zero():
                rows[i][j] = value
        for i in range(self.n):
            rows[i].setdefault(i, ca.SX(0))
        self.order = _minimum_degree([set(r) for r in rows])
        self._eliminate(rows)

    def _eliminate(self, rows: list[dict[int, Expression]]) -> None:
        rank = {k: r for r, k in enumerate(self.order)}
        columns: list[set[int]] = [set() for _ in range(self.n)]
        for i, row in enumerate(rows):
            for j in row:
                columns[j].add(i)
        self.lower: list[list[tuple[int, Expression]]] = []  # per pivot: (row, multiplier)
        self.upper: list[list[tuple[int, Expression]]] = []  # per pivot: (column, value)
        self.inverse_pivot: list[Expression] = []
        for k in self.order:
            inverse = 1 / rows[k][k]
            tail = [(j, a) for j, a in rows[k].items() if rank[j] > rank[k]]
            multipliers = []
            for i in sorted(columns[k], key=rank.__getitem__):
                if rank[i] <= rank[k]:
                    continue
                factor = _times(rows[i].pop(k), inverse)
                multipliers.append((i, factor))
                for j, a in tail:
                    rows[i][j] = rows[i][j] - factor * a if j in rows[i] else -factor * a
                    columns[j].add(i)
            self.lower.append(multipliers)
            self.upper.append(tail)
            self.inverse_pivot.append(inverse)

    def solve(self, b: Expression) -> Expression:
        """x of A x = b for a column or several columns."""
        columns = [self._solve_column(b[:, c]) for c in range(b.shape[1])]
        return ca.horzcat(*columns)

    def _solve_column(self, b: Expression) -> Expression:
        x = [b[i] for i in range(self.n)]
        for k, multipliers in zip(self.order, self.lower, strict=True):
            for i, factor in multipliers:
                x[i] = x[i] - factor * x[k]
        for k, tail, inverse in reversed(
            list(zip(self.order, self.upper, self.inverse_pivot, strict=True))
        ):
            total = x[k]
            for j, a in tail:
                total = total - a * x[j]
            x[k] = _times(total, inverse)
        return ca.vertcat(*x)


def _times(a: Expression, inverse: Expression) -> Expression:
    """a times the inverse of a pivot, not a division by it."""
    if inverse.is_constant() or a.is_constant():
        return a * inverse
    with as_written():
        return a * inverse


def _minimum_degree(pattern: list[set[int]]) -> list[int]:
    """Elimination order of least degree on the symmetrised pattern, with fill."""
    n = len(pattern)
    near: list[set[int]] = [set() for _ in range(n)]
    for i, row in enumerate(pattern):
        for j in row:
            if i != j:
                near[i].add(j)
                near[j].add(i)
    left, order = set(range(n)), []
    while left:
        k = min(left, key=lambda i: (len(near[i]), i))
        for i in near[k]:
            near[i] |= near[k] - {i}
            near[i].discard(k)
        left.remove(k)
        order.append(k)
    return order
