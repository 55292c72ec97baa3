"""How a loop of bodies is closed: conditions between two frames of a tree.

    point on point   r_a - r_b = 0                                    3 conditions       (1)
    revolute         (1), and x_a . z_b = 0, y_a . z_b = 0            5 conditions       (2)
    distance         (|r_a - r_b|^2 - l^2) / (2 l) = 0                1 condition        (3)

r, x, y, z: origin and axes of a frame, in base axes; a revolute loop turns about the z axes.
Conditions that say the same twice, as those across the plane of a planar loop, are sorted out
where the loop is assembled. Source: [khadim2021, eq. 5], [garciadejalon1994].
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Expression, check_range
from gerotor.mechanics.kinematics import frame_pose, position
from gerotor.mechanics.tree import Tree


@dataclass(frozen=True)
class Loop(ABC):
    """Holds frames `a` and `b` of a tree together (None: the base)."""

    name: str
    a: str | None
    b: str | None

    @abstractmethod
    def gap(self, tree: Tree, q: Expression) -> Expression:
        """What must vanish, in m (and, for axes, in rad for small angles)."""


@dataclass(frozen=True)
class PointOnPoint(Loop):
    """A ball joint."""

    def gap(self, tree: Tree, q: Expression) -> Expression:
        return position(tree, self.a, q) - position(tree, self.b, q)  # (1)


@dataclass(frozen=True)
class RevoluteLoop(Loop):
    """A hinge about the common z axis of both frames."""

    def gap(self, tree: Tree, q: Expression) -> Expression:
        a, b = frame_pose(tree, self.a, q), frame_pose(tree, self.b, q)
        across = a.rotation[:, :2].T @ b.rotation[:, 2]
        return ca.vertcat(a.translation - b.translation, across)  # (2)


@dataclass(frozen=True)
class Distance(Loop):
    """A massless rod with a ball at both ends."""

    length: float

    def __post_init__(self) -> None:
        check_range(f"{self.name}.length", self.length, "m", {"above": 0})

    def gap(self, tree: Tree, q: Expression) -> Expression:
        d = position(tree, self.a, q) - position(tree, self.b, q)
        return (ca.dot(d, d) - self.length**2) / (2 * self.length)  # (3)
