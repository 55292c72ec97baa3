"""A moving link of a tree as the recursions see it: joint axis z, fixed parts merged.

Each moving joint turns about or slides along the z axis of its link frame; the frame of a link in
its parent link is

    revolute   R = E Rz(q),  p = p0            prismatic   R = E,  p = p0 + E z q        (1)

with E, p0 constant. A coordinate-axis placement makes E a signed permutation, which costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Expression
from gerotor.maths.pose import Pose
from gerotor.mechanics.joint import Joint


@dataclass(frozen=True, eq=False)
class Link:
    """Joint, parent link (-1: the base), (E, p0), and the moments m, h, S of all mass fixed to it, about its origin."""

    joint: Joint
    parent: int
    placement: Pose
    mass: Expression
    first: Expression
    second: Expression

    @property
    def revolute(self) -> bool:
        return self.joint.kind == "revolute"

    def at(self, q: Expression) -> Position:
        """The link's frame at joint position q."""
        e, p = self.placement.rotation, self.placement.translation
        if self.revolute:
            return Position(e, ca.cos(q), ca.sin(q), p)  # (1)
        return Position(e, ca.SX(1), ca.SX(0), p + e[:, 2] * q)  # (1)


@dataclass(frozen=True, eq=False)
class Position:
    """R = E Rz and p of (1); `up` is towards the base."""

    e: Expression
    cos: Expression
    sin: Expression
    offset: Expression

    def up(self, a: Expression) -> Expression:
        """A vector's components in the parent: R a."""
        return self.e @ self._turn(a)

    def down(self, a: Expression) -> Expression:
        """A vector's components in the link: R' a."""
        b = self.e.T @ a
        return ca.vertcat(self.cos * b[0] + self.sin * b[1], self.cos * b[1] - self.sin * b[0], b[2])

    def up_symmetric(self, s: Expression) -> Expression:
        """A symmetric tensor's components in the parent: R S R'."""
        cc, cs, ss = self.cos * self.cos, self.cos * self.sin, self.sin * self.sin
        xx = cc * s[0, 0] + ss * s[1, 1] - 2 * (cs * s[0, 1])
        xy = cs * (s[0, 0] - s[1, 1]) + (cc - ss) * s[0, 1]
        yy = s[0, 0] + s[1, 1] - xx
        xz = self.cos * s[0, 2] - self.sin * s[1, 2]
        yz = self.sin * s[0, 2] + self.cos * s[1, 2]
        half = self.e @ ca.blockcat([[xx, xy, xz], [xy, yy, yz], [xz, yz, s[2, 2]]])
        out = ca.SX.zeros(3, 3)
        for i in range(3):
            for j in range(i + 1):
                out[i, j] = out[j, i] = ca.dot(half[i, :], self.e[j, :])
        return out

    def _turn(self, a: Expression) -> Expression:
        return ca.vertcat(self.cos * a[0] - self.sin * a[1], self.sin * a[0] + self.cos * a[1], a[2])

    def rotation(self, before: Expression) -> Expression:
        """`before` times R, for a rotation of the parent."""
        turned = before @ self.e
        x, y = turned[:, 0], turned[:, 1]
        return ca.horzcat(self.cos * x + self.sin * y, self.cos * y - self.sin * x, turned[:, 2])
