"""A system whose moving part follows the perturbation equations; everything around it is unchanged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import casadi as ca
import numpy as np

from gerotor.assembly.cut import signals_of
from gerotor.assembly.system import Part, System
from gerotor.core.component import Component, Expression, Signal, Signals, check_range, param, signals
from gerotor.core.layout import Entry, Layout, expand
from gerotor.core.sampled import Sampled
from gerotor.core.table import Table
from gerotor.errors import ParameterError, WiringError
from gerotor.reduction.interpolation import Array, Curve, cubic, linear
from gerotor.reduction.perturbation import Perturbation


@dataclass(frozen=True, kw_only=True, eq=False)
class PerturbedMotion(Component):
    """Stands in for a moving part, with its positions, velocities and outputs under their own names.

    dq' = dv,   M0 dv' = G0 s - tau0 - C0 dv - K0 dq                                      (1)
    q = q0 + dq,   v = v0 + dv,   y = y0 + Y_q dq + Y_v dv                                 (2)
    Coefficients are held signals: matrices constant, vectors straight in the time since `origin`.
    Where C0 dv + K0 dq is weak and slow it comes in as a held signal too (`coupling`), computed once a
    hold period: the step then factorises M0 and the friction alone.
    Source: [aarts2004, eqs. 20-32]. Valid while |dq| stays within `within`: a run that leaves it stops.
    """

    component: Component
    curves: Mapping[str, Curve]
    joints: tuple[str, ...]
    drivers: tuple[str, ...]
    outputs_at: Mapping[str, tuple[int, ...]]
    held_coupling: bool
    within: float = param("rad or m", "largest deviation for which the linear model is taken to hold", above=0)

    motion = (("dq", "dv"),)

    @property
    def states(self) -> dict[str, Signal]:  # type: ignore[override]
        position, velocity = (self.component.states[k] for k in self.component.motion[0])
        return {
            "dq": Signal(position.unit, names=self.joints, units=position.units, lower=-self.within, upper=self.within),
            "dv": Signal(velocity.unit, names=self.joints, units=velocity.units),
        }

    @property
    def inputs(self) -> dict[str, Signal]:  # type: ignore[override]
        coupling = {"coupling": Signal("N*m", names=self.joints)} if self.held_coupling else {}
        return {**signals(t="s", origin="s"), "s": Signal("N*m", names=self.drivers), **coupling, **self.coefficients}

    @property
    def coefficients(self) -> dict[str, Signal]:
        apart = ("C", "K") if self.held_coupling else ()
        return {f"c_{k}": Signal("1", names=c.names) for k, c in self.curves.items() if c.names and k not in apart}

    @property
    def outputs(self) -> dict[str, Signal]:  # type: ignore[override]
        moving = [k for pair in self.component.motion for k in pair]
        kept = {k: replace(self.component.states[k], lower=-np.inf, upper=np.inf) for k in moving}
        return {**kept, **{k: self.component.outputs[k] for k in self.outputs_at}}

    def output(self, x: Signals, u: Signals) -> Signals:
        s = u.t - u.origin
        q, v = self._curve("q", u, s) + x.dq, self._curve("v", u, s) + x.dv  # (2)
        values: dict[str, Expression] = {}
        done = 0
        for position, velocity in self.component.motion:
            size = self.component.states[position].size
            values |= {position: q[done : done + size], velocity: v[done : done + size]}
            done += size
        for key, rows in self.outputs_at.items():
            y = self._curve("y", u, s)[list(rows)]
            for name, deviation in (("Yq", x.dq), ("Yv", x.dv)):
                y = y + self._curve(name, u, s)[list(rows), :] @ deviation  # (2)
            values[key] = y
        return Signals(**values)

    def derivative(self, x: Signals, u: Signals) -> Signals:
        s = u.t - u.origin
        driving = self._curve("G", u, s) @ u.s - self._curve("tau", u, s)
        if self.held_coupling:
            return Signals(dv=driving + u.coupling)
        return Signals(dv=driving - self._curve("C", u, s) @ x.dv - self._curve("K", u, s) @ x.dq)  # (1)

    def mass(self, x: Signals, u: Signals) -> Expression:
        M = self._curve("M", u, u.t - u.origin)
        return ca.tril(M) + ca.tril(M, False).T  # (1)

    def _curve(self, name: str, u: Signals, s: Expression) -> Expression:
        return self.curves[name](getattr(u, f"c_{name}", ca.SX(0, 1)), s)


@dataclass(frozen=True, eq=False)
class Perturbed:
    """What a run needs: the system, the tables of its coefficients, and the held coupling where there is one."""

    system: System
    tables: tuple[Table, ...]
    coupling: tuple[Sampled, ...]


def perturbed(
    system: System, record: Perturbation, *, hold: float, matrix_holds: int = 4, within: float = 0.05,
    held_coupling: bool | None = None,
) -> Perturbed:
    """The system with `record` in place of the parts it was made from.

    `hold` is the period of the vectors, some steps long, and `matrix_holds` of it that of the matrices,
    which change slowly: see reduction/interpolation.py. By default the coupling is held where
    hold^2 |M^-1 K| + hold |M^-1 C| stays below 0.01, and implicit elsewhere.
    """
    check_range("hold", float(hold), "s", {"above": 0})
    inside = set(record.parts)
    component = system.parts[record.part].component
    if not 1 <= matrix_holds <= 1000:
        raise ParameterError(f"matrix_holds = {matrix_holds}: must be between 1 and 1000")
    vectors, matrices = _vectors(record, hold), _matrices(record, hold * matrix_holds)
    curves = {**matrices, **vectors}
    if held_coupling is None:
        held_coupling = _strength(record, hold) < _WEAK
    at: dict[str, tuple[int, ...]] = {}
    for key, signal in component.outputs.items():
        at[key] = tuple(record.outputs.index(e.name) for e in expand(record.part, key, signal))
    motion = PerturbedMotion(
        component=component, curves=curves, joints=record.joints, drivers=tuple(d.replace(".", "_") for d in record.drivers),
        outputs_at=at, held_coupling=held_coupling, within=within,
    )
    out = System(system.name)
    out.time = system.time
    out._inputs, out._parameters = list(system._inputs), list(system._parameters)
    out.parts = {name: part for name, part in system.parts.items() if name not in inside}
    part = out.parts[record.part] = Part(record.part, motion)
    out._outputs = [pair for pair in system._outputs if _available(out, pair[1])]
    _check(out, inside)
    known = {e.name: symbol for e, symbol in [*system._inputs, *signals_of(system, set(system.parts) - inside)]}
    prefix = f"{record.part}.nominal"
    names = {key: [f"{prefix}.{n}" for n in curve.names] for key, curve in curves.items()}
    wires: dict[str, Any] = {"t": system.time, "origin": out.input(f"{prefix}.origin", "s")}
    wires["s"] = ca.vertcat(*[known[d] for d in record.drivers])
    for key in motion.coefficients:
        wires[key] = ca.vertcat(*[out.input(n, "1") for n in names[key.removeprefix("c_")]])
    coupling: tuple[Sampled, ...] = ()
    if held_coupling:
        held = [f"{prefix}.coupling.{j}" for j in record.joints]
        wires["coupling"] = ca.vertcat(*[out.input(n, "N*m") for n in held])
        coupling = (_coupling(record, curves, hold, prefix, held),)
    part.connect(**wires)
    origins = hold * np.arange(len(next(iter(vectors.values())).rows), dtype=np.float64)[:, None]
    fast = [Entry(f"{prefix}.origin", "s"), *(Entry(n) for key in vectors for n in names[key])]
    tables = [Table(prefix, hold, np.hstack([origins, *(c.rows for c in vectors.values())]), Layout(tuple(fast)))]
    slow = [Entry(n) for key in matrices for n in names[key]]
    if slow:
        rows = np.hstack([c.rows for c in matrices.values()])
        tables.append(Table(f"{prefix}.matrices", hold * matrix_holds, rows, Layout(tuple(slow))))
    return Perturbed(out, tuple(tables), coupling)


_WEAK = 0.01


def _strength(record: Perturbation, hold: float) -> float:
    """hold^2 |M^-1 K| + hold |M^-1 C|, the largest along the motion."""
    K, C = np.linalg.solve(record.M, record.K), np.linalg.solve(record.M, record.C)
    size = hold**2 * np.linalg.norm(K, 2, axis=(1, 2)) + hold * np.linalg.norm(C, 2, axis=(1, 2))
    return float(size.max())


def _coupling(record: Perturbation, curves: Mapping[str, Curve], hold: float, prefix: str, held: list[str]) -> Sampled:
    """-C0 dv - K0 dq once a hold period."""
    n = record.size
    C, K = curves["C"], curves["K"]

    def update(state: Any, r: Any, t: Any) -> tuple[Any, Any]:
        dq, dv, c, k = ca.vertsplit(r, [0, n, 2 * n, 2 * n + len(C.names), 2 * n + len(C.names) + len(K.names)])
        return state, -ca.densify(C(c, 0) @ dv + K(k, 0) @ dq)

    reads = [f"{record.part}.{z}.{j}" for z in ("dq", "dv") for j in record.joints]
    reads += [f"{prefix}.{name}" for curve in (C, K) for name in curve.names]
    return Sampled(f"{prefix}.coupling", hold, tuple(reads), Layout(tuple(Entry(h, "N*m") for h in held)), update)


def _rows(record: Perturbation, period: float) -> Array:
    """When the rows of a table begin."""
    return np.asarray(period * np.arange(int(np.ceil(record.duration / period - 1e-9)) + 1, dtype=np.float64))


def _matrices(record: Perturbation, period: float) -> dict[str, Curve]:
    middle, count = _rows(record, period) + period / 2, len(record.times)
    out = {}
    for name in ("M", "C", "K", "G", "Yq", "Yv"):
        given = getattr(record, name)
        values = linear(record.times, record.starts, given.reshape(count, -1), middle)
        out[name] = Curve.of(name, given.shape[1:], values, symmetric=name == "M")
    return out


def _vectors(record: Perturbation, period: float) -> dict[str, Curve]:
    times, starts, at = record.times, record.starts, _rows(record, period)
    out = {}
    for name in ("tau", "q", "v", "y"):
        given = getattr(record, name)
        values, after = cubic(times, starts, given, at), cubic(times, starts, given, at + period, left=True)
        out[name] = Curve.of(name, given.shape[1:], values, (after - values) / period)
    return out


def _available(system: System, expression: Any) -> bool:
    known = {e.name for e, _ in signals_of(system, set(system.parts))} | {system.time.name()}
    known |= {s.name() for _, s in system._inputs + system._parameters}
    return all(s.name() in known for s in ca.symvar(ca.SX(expression)))


def _check(out: System, inside: set[str]) -> None:
    """Nothing outside may read what the linear model does not offer."""
    for name, part in out.parts.items():
        for key, wire in part._wires.items():
            if not _available(out, wire):
                gone = ", ".join(sorted(inside))
                raise WiringError(f"{name}.{key} reads a signal of {gone} that is linearised away: leave that part out")
