"""Motion of the joints that carries a frame along a trajectory: positions, velocities, accelerations.

    J(q) v = (p'; 0),   J(q) a = (p''; 0) - J'(q, v) v                                    (1)

for a square Jacobian J and a frame that keeps its attitude. p, p', p'' come from any trajectory;
at its corners, where p'' jumps, both one-sided accelerations can be asked for.
Source: [siciliano2009, sec. 3.5].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from gerotor.errors import InputError, NoSolutionError
from gerotor.mechanics.kinematics import jacobian
from gerotor.mechanics.tree import Tree

Array = NDArray[np.float64]
_SINGULAR = 1e-6


class Path(Protocol):
    """Any trajectory of three coordinates."""

    @property
    def duration(self) -> float: ...
    @property
    def corners(self) -> tuple[float, ...]: ...
    def position(self, t: Any) -> Any: ...
    def velocity(self, t: Any) -> Any: ...
    def acceleration(self, t: Any) -> Any: ...


@dataclass(frozen=True, eq=False)
class JointMotion:
    """`along(positions) -> q` is inverse kinematics, closed-form or numeric, of the frame's attitude."""

    tree: Tree
    frame: str
    path: Path
    along: Callable[[Array], Array]

    @property
    def duration(self) -> float:
        return self.path.duration

    @property
    def corners(self) -> tuple[float, ...]:
        return self.path.corners

    def at(self, times: Any, *, left: bool = False) -> tuple[Array, Array, Array]:
        """q, v, a at rising times, N x n each; at a corner the values from the right, or `left`."""
        if self.tree.size != 6:
            raise InputError(f"{self.tree.name} has {self.tree.size} moving joints: this motion needs 6, a square Jacobian")
        t = np.atleast_1d(np.asarray(times, dtype=float))
        if not np.isfinite(t).all():
            raise InputError(f"{self.tree.name}: times of a motion must be finite numbers")
        q = np.asarray(self.along(np.asarray(self.path.position(t))))
        side = np.nextafter(t, -np.inf) if left else t
        v, a = (np.hstack([np.asarray(f(side)), np.zeros((len(t), 3))]) for f in (self.path.velocity, self.path.acceleration))
        jac = np.array(self._jacobian.map(len(t))(q.T)).reshape(6, len(t), 6).transpose(1, 0, 2)
        least = np.linalg.svd(jac, compute_uv=False)[:, -1]
        if least.min() < _SINGULAR:
            k = int(least.argmin())
            raise NoSolutionError(
                f"{self.tree.name}: at {t[k]:.6g} s the path runs through a singular pose of {self.frame!r} "
                f"(least singular value {least[k]:.3g}): move the path or change the attitude"
            )
        v = np.linalg.solve(jac, v[:, :, None])[:, :, 0]  # (1)
        bend = np.array(self._bend.map(len(t))(q.T, v.T)).T
        a = np.linalg.solve(jac, (a - bend)[:, :, None])[:, :, 0]  # (1)
        return q, v, a

    @cached_property
    def _symbols(self) -> tuple[Any, Any, Any]:
        q, v = ca.SX.sym("q", self.tree.size), ca.SX.sym("v", self.tree.size)
        return q, v, ca.densify(jacobian(self.tree, self.frame, q))

    @cached_property
    def _jacobian(self) -> Any:
        q, _, J = self._symbols
        return ca.Function("J", [q], [J], {"cse": True})

    @cached_property
    def _bend(self) -> Any:
        """J'(q, v) v."""
        q, v, J = self._symbols
        return ca.Function("bend", [q, v], [ca.jtimes(J @ v, q, v)], {"cse": True})
