"""B-spline curve through given points: an interpolating characteristic curve, order 2 or 3.

    B_i,0(u) = 1 on the span t_i <= u < t_i+1, else 0
    B_i,d(u) = (u - t_i) / (t_i+d - t_i) B_i,d-1 + (t_i+d+1 - u) / (t_i+d+1 - t_i+1) B_i+1,d-1   (1)
    C(u) = sum_j c_j B_j,d(u),   c = A^-1 y,   A_ij = B_j,d(x_i)                                 (2)
    knots: x_0 and x_n of multiplicity d + 1; between them the sites (d = 1) or
           the midpoints (x_1 + x_2) / 2 .. (x_n-2 + x_n-1) / 2 (d = 2)                          (3)
    C(u) = P_0(u) + sum_k g_k max(u - t_k, 0)^d                                                  (4)

Order o = degree d + 1. (1), 0/0 = 0, and (2) are worked out in numbers once; (4) is the same
curve without branches: P_0 the polynomial of the first span, g_k the jump of the leading
coefficient at the inner knot t_k. C is linear in the ordinates y, which may be symbols. Outside
x_0 .. x_n the curve stays at its end value.
Source: [khadim2021, eqs. 21-23] with the count of points corrected, in interpolating form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np
from numpy.polynomial import Polynomial
from numpy.typing import NDArray

from gerotor.errors import ParameterError
from gerotor.maths import smooth

Expression = Any


@dataclass(frozen=True, eq=False)
class BSpline:
    """y over x through (sites[i], ordinates[i]); call it with a number or an expression."""

    sites: Sequence[float]
    ordinates: Sequence[Expression]
    order: int = 3

    def __post_init__(self) -> None:
        if self.order not in (2, 3):
            raise ParameterError(f"spline order = {self.order}: must be 2 (straight pieces) or 3 (parabolas)")
        if len(self.sites) < self.order:
            raise ParameterError(f"spline of order {self.order} through {len(self.sites)} points: needs at least {self.order}")
        if len(self.sites) != len(self.ordinates):
            raise ParameterError(f"spline with {len(self.sites)} sites and {len(self.ordinates)} ordinates: give as many of each")
        if not np.all(np.isfinite(self.sites)) or not np.all(np.diff(np.asarray(self.sites, float)) > 0):
            raise ParameterError(f"spline sites {tuple(self.sites)}: must be finite and increase")

    def __call__(self, u: Expression) -> Expression:
        x = np.asarray(self.sites, float)
        first, inner, jumps = self._weights
        y = ca.vertcat(*self.ordinates)
        start = ca.mtimes(ca.DM(first), y)
        u = smooth.clip(u, x[0], x[-1]) - x[0]
        value = start[0] + u * (start[1] + u * start[2] if self.order == 3 else start[1])
        for knot, weights in zip(inner, jumps, strict=True):
            beyond = smooth.ramp(u - (knot - x[0]))
            value += ca.mtimes(ca.DM(weights).T, y) * (beyond * beyond if self.order == 3 else beyond)  # (4)
        return value

    @cached_property
    def _weights(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """P_0 (in u - x_0), inner knots and jumps of (4), as rows that multiply the ordinates."""
        x, d = np.asarray(self.sites, float) - self.sites[0], self.order - 1
        inner = x[1:-1] if d == 1 else (x[1:-2] + x[2:-1]) / 2  # (3)
        knots = np.concatenate([np.full(d + 1, x[0]), inner, np.full(d + 1, x[-1])])
        spans = [_basis(knots, d, m) for m in range(d, d + 1 + len(inner))]
        owner = np.clip(np.searchsorted(inner, x, side="right"), 0, len(inner))
        collocation = np.array([[b(xi) for b in spans[m]] for xi, m in zip(x, owner, strict=True)])
        inverse = np.linalg.inv(collocation)  # (2)
        polynomials = np.array([[np.pad(b.coef, (0, d + 1 - len(b.coef))) for b in span] for span in spans])
        leading = polynomials[:, :, d] @ inverse
        return polynomials[0].T @ inverse, inner + self.sites[0], np.diff(leading, axis=0)


def piecewise_linear(sites: Sequence[float], ordinates: Sequence[Expression]) -> BSpline:
    """Straight pieces through the points."""
    return BSpline(sites, ordinates, order=2)


def _basis(knots: NDArray[np.float64], degree: int, span: int) -> list[Polynomial]:
    """All basis functions of `degree` as polynomials on one span of the knots, (1)."""
    u = Polynomial([0.0, 1.0])
    basis = [Polynomial([1.0 if i == span else 0.0]) for i in range(len(knots) - 1)]
    for d in range(1, degree + 1):
        rising = [(u - knots[i]) / w if (w := knots[i + d] - knots[i]) > 0 else Polynomial([0.0]) for i in range(len(basis))]
        basis = [rising[i] * basis[i] + (1 - rising[i + 1]) * basis[i + 1] for i in range(len(basis) - 1)]
    return basis
