"""Spatial (six-dimensional) algebra: motion (w, v) and force (n, f) vectors, angular part first.

With R_AB and p_AB the pose of B in A, B-components to A-components:

    motion  X = [R 0; [p] R  R],   force  X* = [R  [p] R; 0  R] = X^-T                   (1)
    inertia I = [I_c - m [c][c]   m [c]; -m [c]   m 1]                                   (2)
    v x  = [[w] 0; [v] [w]],   v x* = -(v x)'                                            (3)

Mass is also held as its moments (m, h = m c, S = integral r r' dm), linear in the mass and so
additive; they are equivalent to the rotational inertia I = tr(S) 1 - S                  (4)

Source: [featherstone2008, ch. 2].
"""

from __future__ import annotations

from typing import Any

import casadi as ca

from gerotor.maths.pose import Pose
from gerotor.maths.rotation import matrix, skew, vector

Expression = Any


def motion_transform(pose: Pose) -> Expression:
    """X of (1)."""
    r, p = pose.rotation, pose.translation
    return ca.densify(ca.blockcat([[r, ca.SX.zeros(3, 3)], [skew(p) @ r, r]]))


def force_transform(pose: Pose) -> Expression:
    """X* of (1)."""
    r, p = pose.rotation, pose.translation
    return ca.densify(ca.blockcat([[r, skew(p) @ r], [ca.SX.zeros(3, 3), r]]))


def spatial_inertia(mass: Expression, com: Any, inertia: Any) -> Expression:
    """I of (2): about the frame's origin, from mass, centre of mass and inertia about it."""
    c, mass = skew(vector(com)), ca.SX(mass)
    return ca.densify(ca.blockcat([[matrix(inertia) - mass * (c @ c), mass * c], [-mass * c, mass * ca.SX.eye(3)]]))


def motion_cross(v: Any) -> Expression:
    """v x of (3), acting on motion vectors."""
    v = vector(v)
    w = skew(v[:3])
    return ca.densify(ca.blockcat([[w, ca.SX.zeros(3, 3)], [skew(v[3:]), w]]))


def force_cross(v: Any) -> Expression:
    """v x* of (3), acting on force vectors."""
    return -motion_cross(v).T


def second_moment(inertia: Any) -> Expression:
    """S of (4) from a rotational inertia about the same point."""
    inertia = matrix(inertia)
    return ca.trace(inertia) / 2 * ca.SX.eye(3) - inertia


def rotational_inertia(second_moment: Any) -> Expression:
    """I of (4) from a second moment about the same point."""
    s = matrix(second_moment)
    return ca.trace(s) * ca.SX.eye(3) - s


def outer_sum(a: Expression, b: Expression) -> Expression:
    """a b' + b a', with every entry written once."""
    out = ca.SX.zeros(3, 3)
    for i in range(3):
        for j in range(i + 1):
            out[i, j] = out[j, i] = a[i] * b[j] + a[j] * b[i]
    return out
