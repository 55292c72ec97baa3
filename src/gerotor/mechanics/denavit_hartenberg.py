"""Joints from modified (Craig) Denavit-Hartenberg rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gerotor.core.component import Expression
from gerotor.maths.pose import Pose
from gerotor.maths.rotation import rotation_x, rotation_z
from gerotor.mechanics.joint import Joint, Kind


@dataclass(frozen=True, eq=False)
class DHRow:
    """One row: the pose of a link frame in the one before it,

        T = Rx(alpha) Tx(a) Rz(theta) Tz(d)                                              (1)

    with q added to theta (revolute) or to d (prismatic); theta and d are what is left at q = 0.
    Source: [craig2005, ch. 3].
    """

    alpha: Expression
    a: Expression
    d: Expression
    theta: Expression

    def placement(self) -> Pose:
        """(1) at q = 0."""
        before = Pose(rotation_x(self.alpha)) @ Pose(translation=(self.a, 0, 0))
        return before @ Pose(rotation_z(self.theta), (0, 0, self.d))  # (1)


def dh_joint(name: str, kind: Kind, row: DHRow, *, parent: str | None, **joint: Any) -> Joint:
    """A Joint about or along the z axis of a row; further arguments as for Joint (lower, upper, body, ...)."""
    return Joint(name=name, kind=kind, parent=parent, placement=row.placement(), **joint)
