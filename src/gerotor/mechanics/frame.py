"""Named places on a tree: frames, and payloads carried at them."""

from __future__ import annotations

from dataclasses import dataclass, field

from gerotor.maths.pose import Pose
from gerotor.mechanics.body import Body


@dataclass(frozen=True, eq=False)
class Frame:
    """A frame at `placement` in the body frame of `joint` (None: the base)."""

    name: str
    joint: str | None
    placement: Pose = field(default_factory=Pose)


@dataclass(frozen=True, eq=False)
class Payload:
    """A body carried at a frame, given in its axes. Its mass may be a symbol or, in a Multibody, an input."""

    name: str
    frame: str
    body: Body
