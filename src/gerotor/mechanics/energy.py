"""Kinetic and potential energy of a tree.

    T = sum m u.u / 2 + u.(w x h) + w.(tr S 1 - S) w / 2 + rotor_inertia v^2 / 2         (1)
    V = - g . sum (m p + R h)                                                            (2)

u, w: velocity of a link's origin and angular velocity, in link axes.
"""

from __future__ import annotations

import casadi as ca

from gerotor.core.component import Expression
from gerotor.maths.rotation import cross, vector
from gerotor.maths.spatial import rotational_inertia
from gerotor.mechanics.tree import Tree


def kinetic_energy(tree: Tree, q: Expression, v: Expression) -> Expression:
    """T in J, drives included."""
    q, v = vector(q), vector(v)
    total = ca.dot(tree.rotor_inertia * v, v) / 2
    velocities: list[tuple[Expression, Expression]] = []
    for i, link in enumerate(tree.links):
        x = link.at(q[i])
        u, w = velocities[link.parent] if link.parent >= 0 else (ca.SX.zeros(3), ca.SX.zeros(3))
        u, w = x.down(u + cross(w, x.offset)), x.down(w)
        rate = ca.vertcat(0, 0, v[i])
        u, w = (u, w + rate) if link.revolute else (u + rate, w)
        velocities.append((u, w))
        spin = rotational_inertia(link.second) @ w
        total += link.mass * ca.dot(u, u) / 2 + ca.dot(u, cross(w, link.first)) + ca.dot(w, spin) / 2  # (1)
    return total


def potential_energy(tree: Tree, q: Expression) -> Expression:
    """V in J, zero where all mass sits at the base's origin."""
    q = vector(q)
    carried = [(link.mass, link.first) for link in tree.links]  # mass and first moment of a link and all it carries
    total = ca.SX.zeros(3)
    for i in reversed(range(tree.size)):
        link, x = tree.links[i], tree.links[i].at(q[i])
        m, h = carried[i]
        up = x.up(h) + m * x.offset
        if link.parent >= 0:
            carried[link.parent] = (carried[link.parent][0] + m, carried[link.parent][1] + up)
        else:
            total += up
    return -ca.dot(tree.gravity, total)  # (2)
