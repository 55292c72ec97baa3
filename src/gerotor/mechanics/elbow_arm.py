"""Closed-form inverse kinematics of an elbow arm with spherical wrist (axes z y y, z y z).

At zero the arm stands straight up: axis 1 along z, axes 2 and 3 along y at heights d and d + L1, the
wrist centre at d + L1 + L2 with axes z, y, z; the tool point lies l_t beyond it on the last axis.
With the wrist centre c = p - l_t R z, rho = |(c_x, c_y)|, h = c_z - d, D^2 = rho^2 + h^2:

    q1 = atan2(c_y, c_x)                  (+ pi with -rho: shoulder turned back)          (1)
    cos q3 = (D^2 - L1^2 - L2^2) / (2 L1 L2)                                              (2)
    q2 = atan2(rho, h) - atan2(L2 sin q3, L1 + L2 cos q3)                                 (3)
    R' = (Rz(q1) Ry(q2 + q3))' R = Rz(q4) Ry(q5) Rz(q6):
    q5 = atan2(+-|(R'_13, R'_23)|, R'_33),  q4 = atan2(+-R'_23, +-R'_13),
    q6 = atan2(+-R'_32, -+R'_31)                                                          (4)

Where the wrist is straight (sin q5 = 0) only q4 + q6 is determined: q4 keeps the value asked for.
Source: derived; geometry as of the arm in [aarts2004, fig. 2].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from gerotor.core.component import check_range
from gerotor.errors import InputError, NoSolutionError
from gerotor.mechanics.tree import Tree

Array = NDArray[np.float64]
_STRAIGHT = 1e-9


@dataclass(frozen=True)
class ElbowArm:
    """Heights and lengths in m: shoulder d, upper arm L1, forearm L2, tool l_t beyond the wrist centre.

    `turned` reaches backwards over the shoulder; `elbow` is the sign of q3, `wrist` that of q5.
    """

    shoulder: float
    upper: float
    forearm: float
    tool: float
    turned: bool = False
    elbow: int = 1
    wrist: int = 1

    def __post_init__(self) -> None:
        check_range("elbow_arm", [self.upper, self.forearm], "m", {"above": 0})
        check_range("elbow_arm", [self.shoulder, self.tool], "m", {})
        for name in ("elbow", "wrist"):
            if getattr(self, name) not in (-1, 1):
                raise InputError(f"elbow_arm.{name} = {getattr(self, name)}: must be 1 or -1")

    @staticmethod
    def of(tree: Tree, frame: str, *, turned: bool = False, elbow: int = 1, wrist: int = 1) -> ElbowArm:
        """The arm of a tree, where its joints are placed like this."""
        joints = tree.moving
        axes = [tuple(round(a, 12) for a in j.axis) for j in joints]
        z, y = (0.0, 0.0, 1.0), (0.0, 1.0, 0.0)
        steps = [np.array(ca.DM(j.placement.translation)).ravel() for j in joints]
        turns = [np.array(ca.DM(j.placement.rotation)) for j in joints]
        link, local = tree.place(frame)
        tip = np.array(ca.DM(local.translation)).ravel()
        straight = all(abs(x) < 1e-12 for s in [*steps, tip] for x in s[:2]) and all(np.allclose(r, np.eye(3)) for r in turns)
        if axes != [z, y, y, z, y, z] or link != 5 or not straight or not np.allclose(np.array(ca.DM(local.rotation)), np.eye(3)):
            raise InputError(f"{tree.name}: not an elbow arm with axes z y y, z y z in line; use the numeric inverse kinematics")
        h = [float(s[2]) for s in steps]
        if abs(h[5]) > 1e-12:
            raise InputError(f"{tree.name}: the wrist's axes do not meet; use the numeric inverse kinematics")
        return ElbowArm(h[0] + h[1], h[2], h[3] + h[4], float(tip[2]), turned, elbow, wrist)

    def solve(self, position: Any, rotation: Any, q4: float = 0.0) -> Array:
        """Six joint angles for one tool point and attitude; `q4` serves where the wrist is straight."""
        if np.shape(position) != (3,):
            raise InputError(f"elbow_arm: solve takes one point of 3 coordinates, got shape {np.shape(position)}; use along")
        return np.asarray(self._angles(position, rotation, q4)[0])

    def along(self, positions: Any, rotations: Any, q4: float = 0.0) -> Array:
        """Joint angles (N x 6) for N tool points, unwrapped in time; `rotations` one or N."""
        return np.unwrap(self._angles(positions, rotations, q4), axis=0)

    def _angles(self, positions: Any, rotations: Any, q4: float) -> Array:
        try:
            p = np.asarray(positions, dtype=float).reshape(-1, 3)
            r = np.broadcast_to(np.asarray(rotations, dtype=float), (len(p), 3, 3))
        except ValueError:
            raise InputError("elbow_arm: give N x 3 coordinates, and one 3 x 3 rotation for all or for each") from None
        if not (np.isfinite(p).all() and np.isfinite(r).all()):
            raise InputError("elbow_arm: give 3 finite coordinates and a finite 3 x 3 rotation")
        centre = p - self.tool * r[:, :, 2]
        rho, h = np.hypot(centre[:, 0], centre[:, 1]), centre[:, 2] - self.shoulder
        cosine = (rho**2 + h**2 - self.upper**2 - self.forearm**2) / (2 * self.upper * self.forearm)  # (2)
        far = np.flatnonzero(~(np.abs(cosine) <= 1 + 1e-12))
        if far.size:
            reach = f"{abs(self.upper - self.forearm):g} to {self.upper + self.forearm:g} m"
            k = int(far[0])
            raise NoSolutionError(
                f"wrist centre {np.hypot(rho[k], h[k]):.6g} m from the shoulder: must be within {reach}; move the path"
            )
        q1 = _wrapped(np.where(rho > 0, np.arctan2(centre[:, 1], centre[:, 0]) + (np.pi if self.turned else 0.0), 0.0))  # (1)
        q3 = self.elbow * np.arccos(np.clip(cosine, -1, 1))
        lean = np.arctan2(-rho if self.turned else rho, h)
        q2 = _wrapped(lean - np.arctan2(self.forearm * np.sin(q3), self.upper + self.forearm * np.cos(q3)))  # (3)
        w = np.swapaxes(_turn_z(q1) @ _turn_y(q2 + q3), 1, 2) @ r
        s, sine = self.wrist, np.hypot(w[:, 0, 2], w[:, 1, 2])
        angles = np.stack([
            q1, q2, q3, np.arctan2(s * w[:, 1, 2], s * w[:, 0, 2]), np.arctan2(s * sine, w[:, 2, 2]),
            np.arctan2(s * w[:, 2, 1], -s * w[:, 2, 0]),
        ], axis=1)  # (4)
        for k in np.flatnonzero(sine < _STRAIGHT).tolist():
            kept = angles[k - 1, 3] if k else q4
            flip = 1.0 if w[k, 2, 2] > 0 else -1.0
            angles[k, 3:] = kept, 0.0 if flip > 0 else np.pi, flip * (np.arctan2(w[k, 1, 0], flip * w[k, 0, 0]) - kept)
        return angles


def _wrapped(q: Array) -> Array:
    return np.asarray((q + np.pi) % (2 * np.pi) - np.pi)


def _turn_z(q: Array) -> Array:
    c, s, o = np.cos(q), np.sin(q), np.zeros_like(q)
    return np.stack([np.stack([c, -s, o], -1), np.stack([s, c, o], -1), np.stack([o, o, o + 1], -1)], -2)


def _turn_y(q: Array) -> Array:
    c, s, o = np.cos(q), np.sin(q), np.zeros_like(q)
    return np.stack([np.stack([c, o, s], -1), np.stack([o, o + 1, o], -1), np.stack([-s, o, c], -1)], -2)
