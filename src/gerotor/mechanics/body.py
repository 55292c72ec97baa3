"""Rigid body: mass, centre of mass, inertia."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np

from gerotor.core.component import Expression, check_range
from gerotor.errors import ParameterError
from gerotor.maths.pose import Pose
from gerotor.maths.rotation import matrix, vector
from gerotor.maths.spatial import second_moment


@dataclass(frozen=True, eq=False)
class Body:
    """Mass in kg, centre of mass `com` in m in the body frame, `inertia` in kg m^2 about it in body axes.

    `inertia` is (xx, yy, zz), (xx, yy, zz, xy, xz, yz) or a symmetric 3 x 3 matrix. Every value may
    be a number or a symbol. A real mass distribution has principal moments with a <= b + c, that is

        S = tr(I)/2 1 - I  positive semidefinite                                         (1)

    Source: [wensing2018].
    """

    mass: Expression
    com: Any = (0.0, 0.0, 0.0)
    inertia: Any = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "com", vector(self.com))
        object.__setattr__(self, "inertia", _inertia_matrix(self.inertia))
        self.check("body")

    def check(self, path: str) -> None:
        """Raise ParameterError where a number is impossible."""
        check_range(f"{path}.mass", self.mass, "kg", {"least": 0})
        if self.com.shape != (3, 1):
            raise ParameterError(f"{path}.com: needs 3 coordinates, got {self.com.numel()}")
        if self.com.is_constant():
            check_range(f"{path}.com", [float(c) for c in self.com.nonzeros()], "m", {})
        if self.inertia.is_constant():
            value = np.array(ca.DM(self.inertia))
            check_range(f"{path}.inertia", value.ravel().tolist(), "kg m^2", {})
            least = np.linalg.eigvalsh(np.eye(3) * np.trace(value) / 2 - value)[0]  # (1)
            if least < -1e-9 * np.abs(value).max():
                a, b, c = np.linalg.eigvalsh(value)
                raise ParameterError(
                    f"{path}.inertia has principal moments {a:.6g}, {b:.6g}, {c:.6g} kg m^2: "
                    "none may be negative and the largest may not exceed the sum of the other two"
                )

    def with_mass(self, mass: Expression) -> Body:
        """The same shape with another mass: the inertia scales along (kept where the mass was 0)."""
        symbolic = isinstance(self.mass, ca.SX) and not self.mass.is_constant()
        scale = mass / self.mass if symbolic or float(self.mass) > 0 else 1
        return Body(mass, self.com, self.inertia * scale)

    def moments(self, pose: Pose) -> tuple[Expression, Expression, Expression]:
        """Mass m, first moment h and second moment S about the origin of the frame in which the body frame has `pose`."""
        m, c = ca.SX(self.mass), pose.apply(self.com)
        return m, m * c, pose.rotation @ second_moment(self.inertia) @ pose.rotation.T + m * (c @ c.T)


def _inertia_matrix(value: Any) -> Expression:
    if isinstance(value, ca.SX | ca.DM):
        square = value.shape == (3, 3)
    else:
        square = len(value) == 3 and all(np.size(row) == 3 for row in value)
    if square:
        out = matrix(value)
    else:
        flat = vector(value)
        if flat.numel() not in (3, 6):
            raise ParameterError(f"body.inertia has {flat.numel()} values: give xx, yy, zz, or xx, yy, zz, xy, xz, yz, or 3 x 3")
        xx, yy, zz, xy, xz, yz = [flat[k] if k < flat.numel() else ca.SX(0) for k in range(6)]
        return matrix([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if out.is_constant() and np.abs(np.array(ca.DM(out - out.T))).max() > 1e-9 * (1e-300 + np.abs(np.array(ca.DM(out))).max()):
        raise ParameterError("body.inertia: must be symmetric")
    return out
