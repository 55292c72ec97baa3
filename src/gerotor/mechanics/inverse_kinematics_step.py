"""One damped step of inverse kinematics, as expressions.

Residual e = (p - p*; rotation vector of R R*' or R axis - direction*), J its Jacobian (of the
rotation vector: at e = 0) without the columns of joints that sit at an end of their range and
would be pushed out of it:

    q <- clip(q - J' (J J' + c 1)^-1 e),   c = |e|^2 + damping                           (1)

Fast (quadratic) at a solution, defined at singular poses, least motion where joints are redundant.
Source: Levenberg-Marquardt with c as in [sugihara2011].
"""

from __future__ import annotations

from typing import Any, Literal

import casadi as ca
import numpy as np

from gerotor.core.component import Expression
from gerotor.maths.rotation import cross, matrix, rotation_vector, vector
from gerotor.maths.sparse_lu import SparseLU
from gerotor.mechanics.kinematics import frame_pose, jacobian
from gerotor.mechanics.tree import Tree

Task = Literal["position", "direction", "pose"]

TARGET_SIZE: dict[Task, int] = {"position": 3, "direction": 6, "pose": 12}


def residual(
    tree: Tree, frame: str, q: Expression, target: Expression, *, task: Task, axis: Any
) -> tuple[Expression, Expression]:
    """e and J. `target` is the position, then the direction or the rotation row by row."""
    pose, jac = frame_pose(tree, frame, q), ca.densify(jacobian(tree, frame, q))
    error = pose.translation - target[:3]
    if task == "position":
        return error, jac[:3, :]
    if task == "pose":
        wanted = matrix([[target[3 + 3 * i + j] for j in range(3)] for i in range(3)])
        return ca.vertcat(error, rotation_vector(pose.rotation @ wanted.T)), jac
    along = pose.rotation @ vector(axis) / np.linalg.norm(axis)
    turning = ca.horzcat(*[cross(jac[3:, i], along) for i in range(tree.size)])
    return ca.vertcat(error, along - target[3:]), ca.vertcat(jac[:3, :], turning)


def step_function(tree: Tree, frame: str, axis: Any, task: Task) -> Any:
    """(q, target, damping) -> next q, e at q."""
    n = tree.size
    q, target, damping = ca.SX.sym("q", n), ca.SX.sym("target", TARGET_SIZE[task]), ca.SX.sym("damping")
    error, jac = residual(tree, frame, q, target, task=task, axis=axis)
    low, high = vector([j.lower for j in tree.moving]), vector([j.upper for j in tree.moving])
    slope = jac.T @ error
    held = ca.logic_or(ca.logic_and(q <= low, slope > 0), ca.logic_and(q >= high, slope < 0))
    jac = jac @ ca.diag(1 - held)
    c = ca.dot(error, error) + damping
    if jac.shape[0] <= n:
        move = jac.T @ SparseLU(jac @ jac.T + c * ca.SX.eye(jac.shape[0])).solve(error)  # (1)
    else:
        move = SparseLU(jac.T @ jac + c * ca.SX.eye(n)).solve(jac.T @ error)  # (1)
    found = ca.fmin(ca.fmax(q - move, low), high)
    return ca.Function("step", [q, target, damping], [found, error], {"cse": True})
