"""Joint: how one body moves on another."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from gerotor.core.component import Expression, check_range
from gerotor.errors import ParameterError
from gerotor.maths.pose import Pose
from gerotor.maths.rotation import rotation_about, tidy, vector
from gerotor.mechanics.body import Body

Kind = Literal["revolute", "prismatic", "fixed"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Joint:
    """Carries `body` on the body of joint `parent` (None: the base).

    The joint frame sits at `placement` in the parent's body frame; the body frame is the joint
    frame turned by q about `axis` or shifted by q along it. Range `lower` to `upper` of q in rad or
    m; `velocity` and `effort` are the largest speed and force of the drive, where known;
    `rotor_inertia` is the drive's inertia as felt at the joint (kg m^2 or kg).
    """

    name: str
    kind: Kind
    parent: str | None = None
    placement: Pose = field(default_factory=Pose)
    axis: Any = (0.0, 0.0, 1.0)
    lower: float = -math.inf
    upper: float = math.inf
    velocity: float = math.inf
    effort: float = math.inf
    body: Body | None = None
    rotor_inertia: Expression = 0.0

    def __post_init__(self) -> None:
        if self.kind not in ("revolute", "prismatic", "fixed"):
            raise ParameterError(f"{self.name}.kind = {self.kind!r}: must be revolute, prismatic or fixed")
        axis = np.asarray(self.axis, dtype=float).ravel()
        length = float(np.linalg.norm(axis)) if axis.size == 3 else math.nan
        if not (math.isfinite(length) and length > 0):
            raise ParameterError(f"{self.name}.axis = {self.axis}: must be 3 finite numbers, not all 0")
        object.__setattr__(self, "axis", tuple(float(a) for a in axis / length))
        if not self.lower <= self.upper:
            raise ParameterError(f"{self.name}: lower = {self.lower} {self.unit}: at most upper = {self.upper} {self.unit}")
        for key, unit in (("velocity", f"{self.unit}/s"), ("effort", self.force_unit)):
            if not getattr(self, key) > 0:
                raise ParameterError(f"{self.name}.{key} = {getattr(self, key)} {unit}: must be above 0")
        check_range(f"{self.name}.rotor_inertia", self.rotor_inertia, "kg m^2" if self.kind == "revolute" else "kg", {"least": 0})
        if self.body is not None:
            self.body.check(f"{self.name}.body")

    def widened(self, share: float) -> tuple[float, float]:
        """The range, wider by a share of it either way; a joint without an end has none."""
        room = share * (self.upper - self.lower)
        return (self.lower - room, self.upper + room) if math.isfinite(room) else (-math.inf, math.inf)

    @property
    def moves(self) -> bool:
        return self.kind != "fixed"

    @property
    def unit(self) -> str:
        return "m" if self.kind == "prismatic" else "rad"

    @property
    def force_unit(self) -> str:
        return "N" if self.kind == "prismatic" else "N*m"

    @property
    def alignment(self) -> Expression:
        """A rotation that takes z to the axis; a signed permutation where the axis is a coordinate axis."""
        x, y, z = self.axis
        for k, e in enumerate((x, y, z)):
            if max(abs(a) for i, a in enumerate(self.axis) if i != k) < 1e-14:
                turn = ((0, 1, 0), math.pi / 2) if k == 0 else ((1, 0, 0), -math.pi / 2) if k == 1 else ((1, 0, 0), 0.0)
                return rotation_about(turn[0], turn[1] if e > 0 else turn[1] - math.pi)
        side = vector([-y, x, 0]) / math.hypot(x, y)
        return tidy(rotation_about(side, math.atan2(math.hypot(x, y), z)))
