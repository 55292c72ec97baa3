"""What a filter is to find and what it is told: unknowns and measured signals."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gerotor.core.component import check_range
from gerotor.errors import ParameterError


@dataclass(frozen=True, kw_only=True)
class Unknown:
    """A state or tunable parameter of an Ode, by path.

    `std` is its standard deviation at the start. `noise` is how fast it may wander: a random walk
    of `noise` times the root of time, in unit/s^0.5; for a velocity whose position is unknown too,
    white acceleration of that density. The estimate is kept within `lower` and `upper`.

    Unknowns of one `group` are made alike: each starts off by a part common to the group and a part
    of its `own`, a standard deviation too, so that what is learnt of one is learnt of all:

        P_ii = std_i^2,   P_ij = c_i c_j,   c_i^2 = std_i^2 - own_i^2                        (1)
    """

    name: str
    std: float
    noise: float = 0.0
    lower: float = -math.inf
    upper: float = math.inf
    group: str = ""
    own: float | None = None

    def __post_init__(self) -> None:
        check_range(f"{self.name}.std", self.std, "1", {"above": 0})
        if bool(self.group) != (self.own is not None):
            raise ParameterError(f"{self.name}: group = {self.group!r} and own = {self.own} must be given together")
        if self.own is not None:
            check_range(f"{self.name}.own", self.own, "1", {"above": 0, "most": self.std})
        check_range(f"{self.name}.noise", self.noise, "1", {"least": 0})
        if not self.lower < self.upper:
            raise ParameterError(f"{self.name}: lower = {self.lower} must be below upper = {self.upper}")

    @property
    def common(self) -> float:
        """c of (1)."""
        return 0.0 if self.own is None else math.sqrt(self.std**2 - self.own**2)


@dataclass(frozen=True, kw_only=True)
class Measured:
    """A state or output of an Ode that a sensor reads, with white noise of standard deviation `std`.

    `offset` is what the sensor subtracts: the atmosphere for a gauge. Where a sample is missing
    (NaN) the filter goes on without it; a slower sensor is one with samples missing between.
    """

    name: str
    std: float
    offset: float = 0.0

    def __post_init__(self) -> None:
        check_range(f"{self.name}.std", self.std, "1", {"above": 0})
        check_range(f"{self.name}.offset", self.offset, "1", {})
