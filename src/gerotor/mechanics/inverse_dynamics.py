"""Inverse dynamics: the joint forces of a given motion, by recursive Newton-Euler in link frames.

With w, alpha, a of a link's origin and the matrix W = [alpha] + [w][w], a point r of the link
accelerates with a + W r, so that with the moments m, h, S of the link

    outwards  w_i = R'w + z v,   alpha_i = R'alpha + R'w x z v + z v',  a_i = R'(a + W p)      revolute
              w_i = R'w,         alpha_i = R'alpha,
                                 a_i = R'(a + W p0) + W_i z q + 2 w_i x z v + z v'             prismatic   (1)
    force     f_i = m a_i + W_i h,    n_i = h x a_i + vee(W_i S - S W_i')                      (2)
    inwards   f += R f_i,  n += R n_i + p x R f_i,  tau_i = z.n_i or z.f_i                     (3)

Gravity enters as an acceleration -g of the base. External wrenches are taken off at the end.
Source: [luh1980], [featherstone2008, ch. 5]; (2) in the form of moments is ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import casadi as ca

from gerotor.core.component import Expression
from gerotor.maths.rotation import cross, skew, vector
from gerotor.mechanics.tree import Tree
from gerotor.mechanics.wrench import generalised_force


def inverse_dynamics(
    tree: Tree,
    q: Expression,
    v: Expression,
    a: Expression,
    *,
    gravity: Any = None,
    wrenches: Mapping[str, tuple[Expression, Expression]] | None = None,
) -> Expression:
    """tau with M(q) a + c(q, v) + g(q) = tau + sum of J' (force, moment).

    `gravity` replaces the tree's; `wrenches` are (force, moment) on frames by name, in base axes.
    """
    q, v, a = vector(q), vector(v), vector(a)
    base = -(tree.gravity if gravity is None else vector(gravity))
    zero = ca.SX.zeros(3)
    positions = [link.at(q[i]) for i, link in enumerate(tree.links)]
    omega: list[Expression] = []
    linear: list[Expression] = []
    alpha: list[Expression] = []
    spread: list[Expression] = []  # W of every link
    forces: list[Expression] = []
    moments: list[Expression] = []
    for i, (link, x) in enumerate(zip(tree.links, positions, strict=True)):
        k = link.parent
        w, turn, acc, wide = (omega[k], alpha[k], linear[k], spread[k]) if k >= 0 else (zero, zero, base, ca.SX.zeros(3, 3))
        w, turn = x.down(w), x.down(turn)
        p = link.placement.translation
        acc = x.down(acc + wide @ p)  # (1)
        if link.revolute:
            turn = turn + ca.vertcat(w[1] * v[i], -w[0] * v[i], a[i])  # (1)
            w = w + ca.vertcat(0, 0, v[i])
        wide = _spread(w, turn)
        if not link.revolute:
            acc = acc + wide[:, 2] * q[i] + ca.vertcat(2 * (w[1] * v[i]), -2 * (w[0] * v[i]), a[i])  # (1)
        omega.append(w)
        alpha.append(turn)
        linear.append(acc)
        spread.append(wide)
        forces.append(link.mass * acc + wide @ link.first)  # (2)
        moments.append(cross(link.first, acc) + _antisymmetric(wide @ link.second))  # (2)
    tau = tree.rotor_inertia * a
    for i in reversed(range(tree.size)):
        link, x = tree.links[i], positions[i]
        tau[i] += moments[i][2] if link.revolute else forces[i][2]
        if link.parent >= 0:
            f = x.up(forces[i])  # (3)
            forces[link.parent] += f
            moments[link.parent] += x.up(moments[i]) + cross(x.offset, f)  # (3)
    for frame, (force, moment) in (wrenches or {}).items():
        tau -= generalised_force(tree, frame, q, force, moment)
    return tau


def _spread(w: Expression, alpha: Expression) -> Expression:
    """[alpha] + [w][w]; the products of w are shared."""
    xx, yy, zz = w[0] * w[0], w[1] * w[1], w[2] * w[2]
    xy, xz, yz = w[0] * w[1], w[0] * w[2], w[1] * w[2]
    return skew(alpha) + ca.blockcat([[-(yy + zz), xy, xz], [xy, -(xx + zz), yz], [xz, yz, -(xx + yy)]])


def _antisymmetric(a: Expression) -> Expression:
    """vee(A - A')."""
    return ca.vertcat(a[2, 1] - a[1, 2], a[0, 2] - a[2, 0], a[1, 0] - a[0, 1])
