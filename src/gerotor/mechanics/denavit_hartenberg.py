"""Joints from modified (Craig) Denavit-Hartenberg rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gerotor.core.component import Expression
from gerotor.maths.pose import Pose
from gerotor.maths.rotation import cos_sin, rotation_x, rotation_z
from gerotor.mechanics.joint import Joint, Kind


@dataclass(frozen=True, eq=False)
class DHRow:
    """One row: the pose of a link frame in the one before it,

        T = Rx(alpha) Tx(a) Rz(theta) Tz(d):  R = Rx Rz,  p = (a, -d sin(alpha), d cos(alpha))    (1)

    with q added to theta (revolute) or to d (prismatic); theta and d are what is left at q = 0.
    Source: [craig2005, ch. 3].
    """

    alpha: Expression
    a: Expression
    d: Expression
    theta: Expression

    def placement(self) -> Pose:
        """(1) at q = 0."""
        c, s = cos_sin(self.alpha)
        return Pose(rotation_x(self.alpha) @ rotation_z(self.theta), (self.a, -self.d * s, self.d * c))  # (1)


def dh_joint(name: str, kind: Kind, row: DHRow, *, parent: str | None, **joint: Any) -> Joint:
    """A Joint about or along the z axis of a row; further arguments as for Joint (lower, upper, body, ...)."""
    return Joint(name=name, kind=kind, parent=parent, placement=row.placement(), **joint)
