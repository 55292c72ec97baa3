"""Tree of rigid bodies: joints in order, named frames, payloads, gravity.

A closed chain is a tree plus conditions: cut one joint of the loop and hold the two frames left
over together. The tree itself stays open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import casadi as ca

from gerotor.core.component import Expression
from gerotor.errors import WiringError, unknown
from gerotor.maths.pose import Pose
from gerotor.maths.rotation import vector
from gerotor.mechanics.frame import Frame, Payload
from gerotor.mechanics.joint import Joint
from gerotor.mechanics.link import Link


@dataclass(frozen=True, eq=False)
class Tree:
    """Joints (sorted parents first), gravity in m/s^2 in base axes, frames and payloads.

    q, v, tau hold the moving joints in the order of `names`. Every joint's body frame can be asked
    for by the joint's name, every `Frame` by its own.
    """

    name: str
    joints: tuple[Joint, ...]
    gravity: Any
    frames: tuple[Frame, ...] = ()
    payloads: tuple[Payload, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "gravity", vector(self.gravity))
        object.__setattr__(self, "joints", _sorted(self.name, tuple(self.joints)))
        _unique(self.name, "joint or frame", [j.name for j in self.joints] + [f.name for f in self.frames])
        _unique(self.name, "payload", [p.name for p in self.payloads])
        known = [j.name for j in self.joints]
        for frame in self.frames:
            if frame.joint is not None and frame.joint not in known:
                raise WiringError(f"{self.name}: frame {frame.name!r} sits on {unknown('joint', frame.joint, known)}")
        for payload in self.payloads:
            self.place(payload.frame)
            payload.body.check(f"{self.name}.{payload.name}")

    @property
    def moving(self) -> list[Joint]:
        """The joints that move, in the order of q."""
        return [j for j in self.joints if j.moves]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the moving joints: the order of q, v, tau."""
        return tuple(j.name for j in self.moving)

    @property
    def size(self) -> int:
        return len(self.names)

    @property
    def rotor_inertia(self) -> Expression:
        return vector([j.rotor_inertia for j in self.moving])

    def with_payload_masses(self, masses: Mapping[str, Expression]) -> Tree:
        """The same tree with payload masses replaced, for example by inputs of a run."""
        if not masses:
            return self
        known = [p.name for p in self.payloads]
        for name in masses:
            if name not in known:
                raise WiringError(f"{self.name}: {unknown('payload', name, known)}")
        return replace(self, payloads=tuple(
            replace(p, body=p.body.with_mass(masses[p.name])) if p.name in masses else p for p in self.payloads
        ))

    def place(self, frame: str | None) -> tuple[int, Pose]:
        """The link (-1: the base) that carries a frame or joint name, and the frame's pose in it."""
        if frame is None:
            return -1, Pose()
        for f in self.frames:
            if f.name == frame:
                link, pose = self.place(f.joint)
                return link, pose @ f.placement
        if frame in self._places:
            return self._places[frame]
        raise WiringError(f"{self.name}: {unknown('frame', frame, [*self._places, *(f.name for f in self.frames)])}")

    def path(self, link: int) -> list[int]:
        """Links from the base to `link`, both ends included."""
        out: list[int] = []
        while link >= 0:
            out.append(link)
            link = self.links[link].parent
        return out[::-1]

    @cached_property
    def _places(self) -> dict[str, tuple[int, Pose]]:
        places: dict[str, tuple[int, Pose]] = {}
        moving = 0
        for joint in self.joints:
            link, pose = places[joint.parent] if joint.parent is not None else (-1, Pose())
            if joint.moves:
                places[joint.name] = (moving, Pose(joint.alignment.T))
                moving += 1
            else:
                places[joint.name] = (link, pose @ joint.placement)
        return places

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """What the recursions work on: one link a moving joint, fixed bodies and payloads merged."""
        size = len(self.moving)
        moments = [(ca.SX(0), ca.SX.zeros(3), ca.SX.zeros(3, 3)) for _ in range(size)]
        bodies = [(j.name, j.body) for j in self.joints if j.body is not None]
        for name, body in bodies + [(p.frame, p.body) for p in self.payloads]:
            link, pose = self.place(name)
            if link >= 0:
                m, h, s = body.moments(pose)
                moments[link] = (moments[link][0] + m, moments[link][1] + h, moments[link][2] + s)
        out = []
        for k, joint in enumerate(self.moving):
            parent, pose = self.place(joint.parent)
            out.append(Link(joint, parent, pose @ joint.placement @ Pose(joint.alignment), *moments[k]))
        return tuple(out)


def _unique(owner: str, kind: str, names: list[str]) -> None:
    twice = sorted({n for n in names if names.count(n) > 1})
    if twice:
        raise WiringError(f"{owner}: duplicate {kind} {', '.join(map(repr, twice))}: every one needs its own name")


def _sorted(owner: str, joints: tuple[Joint, ...]) -> tuple[Joint, ...]:
    """Parents before children, otherwise in the given order."""
    _unique(owner, "joint", [j.name for j in joints])
    known = [j.name for j in joints]
    for joint in joints:
        if joint.parent is not None and joint.parent not in known:
            raise WiringError(f"{owner}: joint {joint.name!r} has {unknown('parent', joint.parent, known)}")
    done: dict[str | None, None] = {None: None}
    out: list[Joint] = []
    left = list(joints)
    while left:
        ready = next((j for j in left if j.parent in done), None)
        if ready is None:
            raise WiringError(f"{owner}: joints {', '.join(repr(j.name) for j in left)} form a cycle: cut one of them")
        left.remove(ready)
        out.append(ready)
        done[ready.name] = None
    return tuple(out)
