"""Linear models of an Ode at a point, or at many points along a trajectory, by exact differentiation.

First order, about a point (x, u, p, t) with the rate a = x' there:

    dx' = A dx + B du,   dy = C dx + D du                                                (1)
    A = E^-1 (dF/dx - d(E a)/dx),   B = E^-1 dF/du,   C = dh/dx,   D = dh/du               (2)

Second order, of one moving block M(q) v' = f, about (x, v', u):

    r = M v' - f,   M dv' + C dv + K dq = G du,   C = dr/dv,   K = dr/dq,   G = -dr/du       (3)

K holds d(M v')/dq. Source: [aarts2004, eqs. 26-32], the state with positions first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike, NDArray

from gerotor.core.layout import Layout
from gerotor.core.ode import Block, Ode
from gerotor.errors import InputError, WiringError, unknown

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class StateSpace:
    """(1) as numbers, with the names of what moves, drives and is seen."""

    A: Array
    B: Array
    C: Array
    D: Array
    states: Layout
    inputs: Layout
    outputs: Layout

    def pick(self, inputs: list[str] | None = None, outputs: list[str] | None = None) -> StateSpace:
        """The same model between fewer signals; an output may also be a state."""
        columns = self.inputs.indices(inputs) if inputs is not None else list(range(len(self.inputs)))
        rows = self.outputs.names if outputs is None else outputs
        known = self.outputs + Layout(tuple(e for e in self.states if e.name not in self.outputs))
        C, D = [], []
        for name in rows:
            if name in self.outputs:
                k = self.outputs.index(name)
                C.append(self.C[k])
                D.append(self.D[k])
            else:
                known.index(name)
                C.append(np.eye(len(self.states))[self.states.index(name)])
                D.append(np.zeros(len(self.inputs)))
        entries = tuple(known.entries[known.index(n)] for n in rows)
        return StateSpace(
            self.A, self.B[:, columns], np.reshape(C, (len(rows), -1)), np.reshape(D, (len(rows), -1))[:, columns],
            self.states, Layout(tuple(self.inputs.entries[k] for k in columns)), Layout(entries),
        )


class Linearisation:
    """The matrices (2) of an Ode as compiled expressions of the point."""

    def __init__(self, ode: Ode) -> None:
        self.ode = ode

    @cached_property
    def function(self) -> Any:
        """(x, u, p, t) -> A, B, C, D."""
        ode = self.ode
        held = ca.SX.sym("a", len(ode.states))
        r = ode.force - ode.mass @ held
        rate, E = ode.rate, ca.densify(ode.mass)
        A, B = (ca.solve(E, ca.densify(ca.substitute(ca.jacobian(r, z), held, rate))) if z.numel() else ca.SX(len(ode.states), 0)
                for z in (ode.x, ode.u))
        return ode.function("linear", A, B, *(ca.densify(ca.jacobian(ode.y, z)) for z in (ode.x, ode.u)))

    def at(self, x: Any = None, u: Any = None, p: Any = None, t: float = 0.0) -> StateSpace:
        """(1) at one point; what is not given has its start value. x, u, p: arrays, or values by name."""
        point = [_vector(given, layout) for given, layout in
                 ((x, self.ode.states), (u, self.ode.inputs), (p, self.ode.parameters))]
        A, B, C, D = (np.array(m) for m in self.function(*point, t))
        if not np.isfinite(A).all():
            raise InputError(f"{self.ode.name}: the linear model is not finite at this point; check the state")
        return StateSpace(A, B, C, D, self.ode.states, self.ode.inputs, self.ode.outputs)

    def along(self, x: ArrayLike, u: Any = None, p: Any = None, t: ArrayLike = 0.0) -> tuple[Array, Array, Array, Array]:
        """A, B, C, D at N points (N x rows x columns each); x and u are N x signals."""
        x = np.atleast_2d(np.asarray(x, dtype=float))
        n = len(x)
        u = np.broadcast_to(_vector(u, self.ode.inputs) if u is None else np.asarray(u, dtype=float), (n, len(self.ode.inputs)))
        p = np.broadcast_to(_vector(p, self.ode.parameters), (n, len(self.ode.parameters)))
        found = self.function.map(n)(x.T, u.T, p.T, np.broadcast_to(np.asarray(t, dtype=float), (n,))[None, :])
        A, B, C, D = (stacked(m, n) for m in found)
        return A, B, C, D


class MotionLinearisation:
    """The matrices (3) of a moving block; its Ode may have no other states."""

    def __init__(self, ode: Ode, name: str | None = None) -> None:
        self.ode = ode
        moving = {b.name: b for b in ode.blocks if b.second_order}
        if name is None and len(moving) == 1:
            (name,) = moving
        if name not in moving:
            raise WiringError(unknown("moving part", str(name), list(moving)))
        self.block: Block = moving[str(name)]
        self.size = len(self.block.v)

    @cached_property
    def function(self) -> Any:
        """(x, a, u, p, t) -> r, M, C, K, G, y, dy/dq, dy/dv."""
        ode, b = self.ode, self.block
        a = ca.SX.sym("a", self.size)
        q, v = (ca.vertcat(*[ode.x[i] for i in where]) for where in (b.q, b.v))
        M = ca.SX.eye(self.size) if b.mass is None else b.mass
        r = M @ a - b.force
        out = [r, M, *(ca.jacobian(r, z) for z in (v, q)), -ca.jacobian(r, ode.u),
               ode.y, *(ca.jacobian(ode.y, z) for z in (q, v))]
        return ca.Function("motion", [ode.x, a, ode.u, ode.p, ode.t], [ca.densify(m) for m in out], {"cse": True})

    def along(self, q: ArrayLike, v: ArrayLike, a: ArrayLike, u: Any = None, t: Any = 0.0) -> tuple[Array, ...]:
        """The eight of `function` at N points, N first; other states and the parameters at their start values."""
        q, v, a = (np.atleast_2d(np.asarray(z, dtype=float)) for z in (q, v, a))
        n = len(q)
        x = np.tile(self.ode.states.array("start"), (n, 1))
        x[:, list(self.block.q)], x[:, list(self.block.v)] = q, v
        count = len(self.ode.inputs)
        u = np.broadcast_to(np.zeros(count) if u is None else np.asarray(u, dtype=float), (n, count))
        p = np.tile(self.ode.parameters.array("start"), (n, 1))
        found = self.function.map(n)(x.T, a.T, u.T, p.T, np.broadcast_to(np.asarray(t, dtype=float), (n,))[None, :])
        return tuple(stacked(m, n) for m in found)


def stacked(side_by_side: Any, n: int) -> Array:
    """n blocks of columns -> n x rows x columns."""
    m = np.array(side_by_side)
    return np.ascontiguousarray(m.reshape(m.shape[0], n, -1).transpose(1, 0, 2))


def _vector(given: Any, layout: Layout) -> Array:
    if given is None or isinstance(given, dict):
        return layout.pack(given)
    out = np.asarray(given, dtype=float).ravel()
    if out.size != len(layout) or not np.isfinite(out).all():
        raise InputError(f"{len(layout)} finite values are needed ({', '.join(layout.names[:4])} ...), got {out.size}")
    return out
