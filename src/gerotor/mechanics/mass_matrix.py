"""Mass matrix of a tree by composite rigid bodies, in moments m, h, S.

    composite of a link = its own + those of its children, carried to its frame:
        m += m,   h += R h + m p,   S += R S R' + g p' + p g',   g = R h + m p / 2       (1)
    unit acceleration of joint i moves its composite with
        revolute   f = z x h,  n = (tr S 1 - S) z        prismatic  f = m z,  n = h x z  (2)
    M_ji = z_j . n or z_j . f after carrying (f, n) to the frame of j, j on the path     (3)

Source: [featherstone2008, ch. 6]; in moments, ours.
"""

from __future__ import annotations

import casadi as ca

from gerotor.core.component import Expression
from gerotor.maths.rotation import cross, vector
from gerotor.maths.spatial import outer_sum
from gerotor.mechanics.tree import Tree


def mass_matrix(tree: Tree, q: Expression) -> Expression:
    """M(q) with the drives' inertia on its diagonal; symmetric, structural non-zeros only."""
    q = vector(q)
    links = tree.links
    positions = [link.at(q[i]) for i, link in enumerate(links)]
    mass, first, second = [k.mass for k in links], [k.first for k in links], [k.second for k in links]
    out = ca.SX(tree.size, tree.size)
    for i in reversed(range(tree.size)):
        link, x = links[i], positions[i]
        m, h, s = mass[i], first[i], second[i]
        if link.revolute:
            f, n = ca.vertcat(-h[1], h[0], 0), ca.vertcat(-s[0, 2], -s[1, 2], s[0, 0] + s[1, 1])  # (2)
        else:
            f, n = ca.vertcat(0, 0, m), ca.vertcat(h[1], -h[0], 0)  # (2)
        out[i, i] = (n[2] if link.revolute else f[2]) + link.joint.rotor_inertia
        j = i
        while links[j].parent >= 0:
            f, n = positions[j].up(f), positions[j].up(n)
            n = n + cross(positions[j].offset, f)
            j = links[j].parent
            out[i, j] = out[j, i] = n[2] if links[j].revolute else f[2]  # (3)
        if link.parent >= 0:
            p, h = x.offset, x.up(h)
            mass[link.parent] += m  # (1)
            first[link.parent] = first[link.parent] + h + m * p
            second[link.parent] = second[link.parent] + x.up_symmetric(s) + outer_sum(h + m * p / 2, p)
    return ca.sparsify(out)
