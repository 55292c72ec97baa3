"""Putting a closed chain together, in numbers: a start configuration and what depends on what.

    Phi(q) = 0,   rank r of Phi_q at the start: r dependent joints, n - r independent ones   (1)
    dependent joints and the r conditions kept: QR with column pivoting of Phi_q, then of
    its dependent columns transposed, so that Phi_q^d is as far from singular as it can be  (2)

The rank is also taken beside the start, on the loop: more rank there means that the start itself
is singular. Source: [khadim2021, eqs. 5-6] with the pivoting of [garciadejalon1994, ch. 3].
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from gerotor.errors import InputError, NoSolutionError, ParameterError, unknown
from gerotor.mechanics.loop import Loop
from gerotor.mechanics.tree import Tree

Array = NDArray[np.float64]
_CLOSED = 1e-9  # m, largest gap of a loop that is put together
_RANK = 1e-7  # singular values below this share of the largest count as none


@dataclass(frozen=True, eq=False)
class Assembled:
    """Start configuration q, positions in it of dependent and independent joints, conditions kept."""

    q: Array
    dependent: tuple[int, ...]
    independent: tuple[int, ...]
    rows: tuple[int, ...]


class _Gap:
    """Phi and Phi_q as numbers."""

    def __init__(self, tree: Tree, loops: Sequence[Loop]) -> None:
        q = ca.SX.sym("q", tree.size)
        phi = ca.vertcat(*[loop.gap(tree, q) for loop in loops])
        self.owner = [loop for loop in loops for _ in range(loop.gap(tree, q).numel())]
        if not phi.is_constant() and len(ca.symvar(phi)) > tree.size:
            raise ParameterError(f"{tree.name}: the geometry of a closed loop must be numbers, not tunable parameters")
        self._function: Any = ca.Function("gap", [q], [phi, ca.jacobian(phi, q)])

    def value(self, q: Array) -> Array:
        return np.array(self._function(q)[0]).ravel()

    def slope(self, q: Array) -> Array:
        return np.array(ca.densify(self._function(q)[1]))

    def close(self, q: Array, free: Sequence[int]) -> Array:
        """q with the free joints moved to the least gap."""
        free = list(free)

        def full(z: Array) -> Array:
            out = q.copy()
            out[free] = z
            return out

        if not free:
            return q
        from scipy.optimize import least_squares  # slow to import, needed by closed loops only

        def gap(z: Array) -> Array:
            return self.value(full(z))

        def slope(z: Array) -> Array:
            return np.asarray(self.slope(full(z))[:, free])

        found = least_squares(gap, q[free], slope, xtol=1e-15, ftol=1e-15, gtol=1e-15, max_nfev=500)
        q = full(found.x)
        for _ in range(3):
            step = np.linalg.lstsq(self.slope(q)[:, free], -self.value(q), rcond=_RANK)[0]
            better = full(q[free] + step)
            q = better if np.abs(self.value(better)).max() < np.abs(self.value(q)).max() else q
        return q


def assemble(tree: Tree, loops: Sequence[Loop], start: Mapping[str, float] | None = None,
             independent: Sequence[str] | None = None) -> Assembled:
    """Close the loops from a guess of the joint positions and partition the joints.

    Joints named in `independent` keep their start value; where none are named all joints may move
    and the best partition is chosen.
    """
    from scipy.linalg import qr

    names = list(tree.names)
    for name in [*(start or {}), *(independent or ())]:
        if name not in names:
            raise InputError(f"{tree.name}: {unknown('joint', name, names)}")
    gap = _Gap(tree, loops)
    q = np.array([(start or {}).get(n, 0.0) for n in names])
    kept = [names.index(n) for n in independent or ()]
    q = gap.close(q, [k for k in range(tree.size) if k not in kept])
    _check_closed(tree, gap, q)
    slope = gap.slope(q)
    rank = _rank(slope)
    if independent is None:
        dependent = sorted(qr(slope, mode="r", pivoting=True)[1][:rank])  # (2)
    else:
        dependent = [k for k in range(tree.size) if k not in kept]
        if len(dependent) != rank:
            raise NoSolutionError(f"{tree.name}: {len(kept)} independent joints ({', '.join(independent)}): "
                                  f"the loops leave {tree.size - rank} degrees of freedom at the start, name as many")
        if _rank(slope[:, dependent]) < rank:
            raise NoSolutionError(f"{tree.name}: singular with {', '.join(independent)} independent at the start: "
                                  "choose another start or leave the choice to the assembly")
    rows = sorted(qr(slope[:, dependent].T, mode="r", pivoting=True)[1][:rank])  # (2)
    made = Assembled(q, tuple(int(k) for k in dependent),
                     tuple(k for k in range(tree.size) if k not in dependent), tuple(int(k) for k in rows))
    _check_beside(tree, gap, made)
    return made


def _rank(matrix: Array) -> int:
    values = np.linalg.svd(matrix, compute_uv=False)
    return int(np.sum(values > _RANK * max(values[0], 1e-300))) if values.size else 0


def _check_closed(tree: Tree, gap: _Gap, q: Array) -> None:
    value = gap.value(q)
    worst = int(np.argmax(np.abs(value)))
    if not np.abs(value[worst]) < _CLOSED:
        loop = gap.owner[worst]
        raise NoSolutionError(f"{tree.name}: loop {loop.name!r} cannot be closed: {abs(value[worst]):.3g} m are left between "
                              f"{loop.a or 'the base'} and {loop.b or 'the base'} at best; check lengths and start angles")


def _check_beside(tree: Tree, gap: _Gap, made: Assembled) -> None:
    """The same rank and closed loops on both sides of the start, (1)."""
    rank = len(made.rows)
    for joint in made.independent:
        for move in (-1e-3, 1e-3):
            q = made.q.copy()
            q[joint] += move
            q = gap.close(q, made.dependent)
            if _rank(gap.slope(q)) != rank or np.abs(gap.value(q)).max() > _CLOSED:
                raise NoSolutionError(f"{tree.name}: singular start configuration: joint {tree.names[joint]} cannot move freely "
                                      "from it; start elsewhere")
