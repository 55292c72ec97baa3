"""Closed chains of rigid bodies in their independent joints: forces in, motion out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import casadi as ca

from gerotor.core.component import Component, Expression, Signal, Signals, param
from gerotor.errors import ParameterError
from gerotor.mechanics.inverse_dynamics import inverse_dynamics
from gerotor.mechanics.kinematics import position
from gerotor.mechanics.line_of_action import LineOfAction
from gerotor.mechanics.loop import Loop
from gerotor.mechanics.loop_assembly import Assembled, assemble
from gerotor.mechanics.loop_solver import LoopSolver
from gerotor.mechanics.mass_matrix import mass_matrix
from gerotor.mechanics.multibody import WRENCH
from gerotor.mechanics.tree import Tree
from gerotor.mechanics.wrench import generalised_force


@dataclass(frozen=True, kw_only=True, eq=False)
class ClosedMultibody(Component):
    """A tree whose loops are closed, by coordinate partitioning in two steps (semi-recursive).

    q^d = solution of Phi(q^d, q^i) = 0,   z' = R v,   R = [-(Phi^d)^-1 Phi^i; 1]           (1)
    M_S = R' M R,   Q_S = R' (tau + J'f - ID(q, R v, D)),   D = [-(Phi^d)^-1 (Phi_q)' z'; 0]  (2)
    q^i' = v,   M_S v' = Q_S                                                              (3)
    g' = q^d' + (q^d - g) / T                                                             (4)

    M and ID are mass matrix and inverse dynamics of the open tree, rows of R and D in joint order.
    The states are q^i, v and g, the place from which Newton's method finds q^d: a fixed number
    of iterations, exact to rounding while the motion of one step stays small against the
    mechanism. g enters nothing else, so it does not disturb the motion. Where the geometry of `tree`
    has symbols, `nominal` is the same tree with numbers, by which it is put together; the loops are
    closed with the symbols, from there.

    Inputs: `tau` on every joint; `F_NAME` along every line of action (positive pushes its ends
    apart); `wrench_NAME` on frames; `mass_NAME` of every payload in `loads`, which may change during
    a run. Outputs: `z`, `w` position and speed of all joints; `l_NAME`, `v_NAME` length and speed of
    the lines; frames of `positions`; `closure`, the sine-like distance from a singular
    configuration (1 is best, 0 singular), with a range that warns.
    Source: [khadim2021, eqs. 1-7], D at zero independent acceleration.
    """

    tree: Tree
    loops: tuple[Loop, ...]
    nominal: Tree | None = None
    start: Mapping[str, float] = field(default_factory=dict)
    independent: tuple[str, ...] | None = None
    lines: tuple[LineOfAction, ...] = ()
    positions: tuple[str, ...] = ()
    wrenches: tuple[str, ...] = ()
    loads: tuple[str, ...] = ()
    iterations: int = param("1", "Newton iterations of the position problem", least=1, most=20, default=4)
    settling: float = param("s", "T, in which the guess follows the solution", above=0, default=0.02)
    least_closure: float = param("1", "closure below which a run is near singular", least=0, below=1, default=0.05)

    margin: float = param(
        "1", "how far beyond its range a joint may go before a run stops, over the range", least=0, default=0.25
    )

    motion = (("q", "v"),)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.loops:
            raise ParameterError(f"{self.tree.name}: no loop to close: use Multibody")
        for frame in self.positions + self.wrenches:
            self.tree.place(frame)
        self.tree.with_payload_masses(dict.fromkeys(self.loads, 0.0))

    @cached_property
    def assembled(self) -> Assembled:
        """The start configuration and the partition."""
        return assemble(self.nominal or self.tree, self.loops, self.start, self.independent)

    @cached_property
    def solver(self) -> LoopSolver:
        return LoopSolver(self.tree, self.loops, self.assembled, self.iterations)

    def _pick(self, which: tuple[int, ...], suffix: str = "") -> Signal:
        joints = [self.tree.moving[k] for k in which]
        rate, ends = bool(suffix), [j.widened(self.margin) for j in joints]
        return Signal(
            f"rad{suffix}", names=tuple(j.name for j in joints), units=tuple(j.unit + suffix for j in joints),
            lower=-math.inf if rate else tuple(low for low, _ in ends),
            upper=math.inf if rate else tuple(high for _, high in ends),
            start=0.0 if rate else tuple(float(self.assembled.q[k]) for k in which),
        )

    @property
    def states(self) -> dict[str, Signal]:  # type: ignore[override]
        independent = self.assembled.independent
        return {"q": self._pick(independent), "v": self._pick(independent, "/s"), "guess": self._pick(self.assembled.dependent)}

    @property
    def inputs(self) -> dict[str, Signal]:  # type: ignore[override]
        tau = Signal("N*m", names=self.tree.names, units=tuple(j.force_unit for j in self.tree.moving))
        forces = {f"F_{k.name}": Signal("N") for k in self.lines} | {f"wrench_{f}": WRENCH for f in self.wrenches}
        return {"tau": tau, **forces, **{f"mass_{name}": Signal("kg", lower=0.0) for name in self.loads}}

    @property
    def outputs(self) -> dict[str, Signal]:  # type: ignore[override]
        every = tuple(range(self.tree.size))
        out = {"z": self._pick(every), "w": self._pick(every, "/s"), "closure": Signal("1", lower=self.least_closure)}
        for line in self.lines:
            out |= {f"l_{line.name}": Signal("m"), f"v_{line.name}": Signal("m/s")}
        return out | {frame: Signal("m", names=("x", "y", "z")) for frame in self.positions}

    @cached_property
    def _motion(self) -> Any:
        """(q^i, v, g) -> z, z', R, D, closure."""
        n, m = len(self.assembled.independent), len(self.assembled.dependent)
        q, v, g = ca.SX.sym("q", n), ca.SX.sym("v", n), ca.SX.sym("g", m)
        z = self.solver.positions(q, g)  # (1)
        R, closure = self.solver.velocity_map(z)  # (1)
        w, p = R @ v, self.solver.parameters
        found = ca.Function("closed", [q, v, g, p], [z, w, R, self.solver.drift(z, w), closure], {"cse": True})
        return lambda q, v, g: found(q, v, g, p)

    def output(self, x: Signals, u: Signals) -> Signals:
        z, w, _, _, closure = self._motion(x.q, x.v, x.guess)
        out = {"z": z, "w": w, "closure": closure}
        for line in self.lines:
            length, lever = line.length(self.tree, z)
            out |= {f"l_{line.name}": length, f"v_{line.name}": lever @ w}
        return Signals(**out, **{frame: position(self.tree, frame, z) for frame in self.positions})

    def derivative(self, x: Signals, u: Signals) -> Signals:
        z, w, R, D, _ = self._motion(x.q, x.v, x.guess)
        force = u.tau - inverse_dynamics(self._loaded(u), z, w, D)  # (2)
        for line in self.lines:
            force += line.length(self.tree, z)[1].T * getattr(u, f"F_{line.name}")
        for frame in self.wrenches:
            wrench = getattr(u, f"wrench_{frame}")
            force += generalised_force(self.tree, frame, z, wrench[:3], wrench[3:])
        dependent = list(self.assembled.dependent)
        return Signals(v=R.T @ force, guess=w[dependent] + (z[dependent] - x.guess) / self.settling)  # (2), (4)

    def mass(self, x: Signals, u: Signals) -> Expression:
        z, _, R, _, _ = self._motion(x.q, x.v, x.guess)
        return R.T @ mass_matrix(self._loaded(u), z) @ R  # (2)

    def _loaded(self, u: Signals) -> Tree:
        return self.tree.with_payload_masses({name: getattr(u, f"mass_{name}") for name in self.loads})
