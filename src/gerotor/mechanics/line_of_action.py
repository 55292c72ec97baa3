"""Straight line between two points of a tree along which a cylinder, spring or rope acts.

    l = |r_b - r_a|,   L = dl/dq = e' (J_b - J_a),   e = (r_b - r_a) / l                 (1)
    l' = L v,   tau = L' F                                                               (2)

F > 0 pushes the points apart. Source: [khadim2021, eqs. 33 and 36] put right.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Expression
from gerotor.mechanics.kinematics import jacobian, position
from gerotor.mechanics.tree import Tree

_LEAST = 1e-9  # m, keeps the direction finite where the points meet


@dataclass(frozen=True)
class LineOfAction:
    """From frame `a` to frame `b` (None: the base)."""

    name: str
    a: str | None
    b: str | None

    def length(self, tree: Tree, q: Expression) -> tuple[Expression, Expression]:
        """l in m and L, a row of levers in m/rad or 1."""
        d = position(tree, self.b, q) - position(tree, self.a, q)
        l = ca.sqrt(ca.dot(d, d) + _LEAST**2)
        lever = (d / l).T @ (jacobian(tree, self.b, q)[:3, :] - jacobian(tree, self.a, q)[:3, :])
        return l, ca.densify(lever)  # (1)
