"""Generalised force of a force and a moment on any frame.

    tau_i = z_i . (n + (p - o_i) x f)  revolute,   z_i . f  prismatic;  tau = J' (f; n)  (1)
"""

from __future__ import annotations

from typing import Any

import casadi as ca

from gerotor.core.component import Expression
from gerotor.maths.rotation import vector
from gerotor.mechanics.kinematics import jacobian
from gerotor.mechanics.tree import Tree


def generalised_force(tree: Tree, frame: str | None, q: Expression, force: Any, moment: Any = (0, 0, 0)) -> Expression:
    """Joint forces equivalent to `force` at the frame's origin and `moment`, both in base axes."""
    return ca.densify(jacobian(tree, frame, q).T @ ca.vertcat(vector(force), vector(moment)))  # (1)
