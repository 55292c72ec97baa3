"""A filter as a sampled part: plant and filter in one compiled loop, simulated, paced or with hardware.

The step of filter.c as an expression, the covariance as U D U' with the moving unknowns m (states,
wandering parameters) before the constant ones c:

    U_mc <- F_mm U_mc + F_mc U_cc,   U_cc, D_c unchanged                                     (1)
    U_mm, D_m <- Gram-Schmidt of the columns [F_mm U_mm, g] weighted by [D_m, q]             (2)
    one scalar after the other: f = U' h',  alpha_j = r + sum to j of D f^2,
        D_j <- D_j alpha_j-1 / alpha_j,  U_ij <- U_ij - K_i f_j / alpha_j-1                  (3)

A reading that is not finite counts as missing. Source: [bierman1977, ch. V and VI].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import casadi as ca

from gerotor.core.layout import Entry, Layout
from gerotor.core.sampled import Sampled
from gerotor.errors import InputError, WiringError, unknown
from gerotor.estimation.filter import Filter
from gerotor.estimation.model import FilterModel

Matrix = list[list[Any]]
Vector = list[Any]


@dataclass(frozen=True)
class _Knowledge:
    """States x, unknown parameters p and the covariance."""

    x: Any
    p: Any
    U: Matrix
    D: Vector


def estimator(filter: Filter, *, name: str = "estimator", sensors: Mapping[str, str] | None = None,
              inputs: Mapping[str, str] | None = None, start: Mapping[str, float] | None = None,
              parameters: Mapping[str, float] | None = None) -> Sampled:
    """`filter` as a part of a closed loop, sampled at its period.

    It holds `name.unknown` and `name.unknown.std` for every unknown, and `name.nis`. `sensors` says which signal of
    the loop is the reading of a measured one, `inputs` which is an input of the filter's model; those left out
    are read under their own name, measured ones from the plant itself, less their offset.
    """
    if filter.kind != "extended":
        raise InputError(f"{name}: an {filter.kind} filter cannot run inside a loop; choose an extended one")
    model, sensors, inputs = filter.model, dict(sensors or {}), dict(inputs or {})
    for given, known, what in ((sensors, [m.name for m in model.measured], "measured signal"),
                               (inputs, model.ode.inputs.names, "input")):
        for key in given:
            if key not in known:
                raise WiringError(unknown(what, key, known))
    x, p = model.ode.states.pack(start), model.ode.parameters.pack(parameters)
    state = filter.begin(start=start, parameters=parameters)
    n = model.size
    pairs = [(i, j) for j in range(n) for i in range(j)]
    entries = [
        *[Entry(f"x.{e.name}", e.unit, start=float(v)) for e, v in zip(model.ode.states, x, strict=True)],
        *[Entry(f"p.{model.ode.parameters.names[k]}", start=float(p[k])) for k in model.parameters],
        *[Entry(f"held.{e.name}", e.unit) for e in model.ode.inputs],
        *[Entry(f"U.{i}.{j}", start=float(state.U[i, j])) for i, j in pairs],
        *[Entry(f"D.{j}", start=float(state.D[j])) for j in range(n)],
        Entry("begun"),
    ]
    first = dict(zip(model.names, [*x[model.states], *p[model.parameters]], strict=True))
    holds = [
        *[Entry(f"{name}.{q}", unit, start=float(first[q])) for q, unit in zip(model.names, model.units, strict=True)],
        *[Entry(f"{name}.{q.name}.std", unit, start=q.std) for q, unit in zip(model.unknowns, model.units, strict=True)],
        Entry(f"{name}.nis"),
    ]
    reads = [sensors.get(m.name, m.name) for m in model.measured] + [inputs.get(q, q) for q in model.ode.inputs.names]
    offsets = [0.0 if m.name in sensors else m.offset for m in model.measured]
    sizes = [len(x), len(model.parameters), len(model.ode.inputs), len(pairs), n, 1]
    cuts = [sum(sizes[:k]) for k in range(len(sizes) + 1)]
    step = _Step(model, filter.iterations, p)

    def update(d: Any, r: Any, t: Any) -> tuple[Any, Any]:
        x, p, held, upper, diagonal, begun = (d[a:b] for a, b in pairwise(cuts))
        U = [[ca.SX(i == j) for j in range(n)] for i in range(n)]
        for k, (i, j) in enumerate(pairs):
            U[i][j] = upper[k]
        last = _Knowledge(x, p, U, ca.vertsplit(diagonal))
        now = step.predict(last, held, t)
        U = [[ca.if_else(begun, a, b) if i < j else b for j, (a, b) in enumerate(zip(*rows, strict=True))]
             for i, rows in enumerate(zip(now.U, last.U, strict=True))]
        D = [ca.if_else(begun, a, b) for a, b in zip(now.D, last.D, strict=True)]
        u = r[len(offsets):]
        now, nis = step.correct(_Knowledge(ca.if_else(begun, now.x, x), p, U, D), u, t, r[:len(offsets)] - ca.DM(offsets))
        variances = [sum((now.U[i][j] ** 2 * now.D[j] for j in range(i + 1, n)), now.D[i]) for i in range(n)]
        after = ca.vertcat(now.x, now.p, u, *[now.U[i][j] for i, j in pairs], *now.D, 1)
        return after, ca.vertcat(now.x[model.states], now.p, ca.sqrt(ca.vertcat(*variances)), nis)

    return Sampled(name, model.period, tuple(reads), Layout(tuple(holds)), update, Layout(tuple(entries)))


class _Step:
    """Prediction and correction of one sample as expressions."""

    def __init__(self, model: FilterModel, iterations: int, parameters: Any) -> None:
        self.model, self.iterations, self.parameters = model, iterations, parameters
        self.functions = model.functions()
        self.g, self.q = model.noise

    def _all(self, p: Any) -> Any:
        out = ca.SX(ca.DM(self.parameters))
        out[self.model.parameters] = p
        return out

    def predict(self, last: _Knowledge, held: Any, t: Any) -> _Knowledge:
        n, m, s = self.model.size, self.model.moving, len(self.model.states)
        U, D = last.U, last.D
        following, A, B = self.functions["predict"](last.x, held, self._all(last.p), t - self.model.period)
        F = ca.SX.eye(n)
        F[:s, :s], F[:s, s:] = A, B
        W = [[sum((F[i, k] * U[k][j] for k in range(j + 1)), ca.SX(0)) for j in range(n)] for i in range(m)]
        out = [row[:] for row in U]
        for i in range(m):
            out[i][m:] = W[i][m:]  # (1)
        columns = [[*W[i][:m], *map(ca.SX, self.g[i])] for i in range(m)]
        weights = [*D[:m], *map(ca.SX, self.q)]
        moved = D[:]
        for i in range(m - 1, -1, -1):  # (2)
            v = [a * b for a, b in zip(weights, columns[i], strict=True)]
            total = _dot(v, columns[i])
            moved[i] = total
            for j in range(i):
                share = ca.if_else(total > 0, _dot(columns[j], v) / total, 0)
                out[j][i] = share
                columns[j] = [a - share * b for a, b in zip(columns[j], columns[i], strict=True)]
        return _Knowledge(following, last.p, out, moved)

    def correct(self, prior: _Knowledge, u: Any, t: Any, o: Any) -> tuple[_Knowledge, Any]:
        model = self.model
        s = len(model.states)
        z = before = ca.vertcat(prior.x[model.states], prior.p)
        U, D, nis = prior.U, prior.D, ca.SX(0)
        for _ in range(self.iterations):
            centre, x = z, ca.SX(prior.x)
            x[model.states] = centre[:s]
            expected, slope = self.functions["measure"](x, u, self._all(centre[s:]), t)
            z, U, D, nis = before, [row[:] for row in prior.U], prior.D[:], ca.SX(0)
            for k, sensor in enumerate(model.measured):
                there = ca.fabs(o[k]) < 1e300
                h = ca.vertsplit(ca.if_else(there, slope[k, :].T, 0))
                innovation = ca.if_else(there, o[k] - expected[k] - _dot(h, ca.vertsplit(z - centre)), 0)
                variance, gain = _scalar(U, D, h, sensor.std**2)
                z, nis = z + gain * (innovation / variance), nis + innovation**2 / variance
        z = ca.vertcat(*[ca.fmin(ca.fmax(z[k], q.lower), q.upper) for k, q in enumerate(model.unknowns)])
        x = ca.SX(prior.x)
        x[model.states] = z[:s]
        return _Knowledge(x, z[s:], U, D), nis


def _scalar(U: Matrix, D: Vector, h: Vector, r: float) -> tuple[Any, Any]:
    """(3) in place: innovation variance, and the gain times it."""
    b: Vector = []
    alpha = ca.SX(r)
    for j in range(len(D)):
        f = h[j] + _dot([U[i][j] for i in range(j)], h[:j])
        beta, g = alpha, D[j] * f
        alpha = beta + f * g
        D[j] = D[j] * beta / alpha
        for i in range(j):
            old = U[i][j]
            U[i][j] = old - b[i] * f / beta
            b[i] = b[i] + old * g
        b.append(g)
    return alpha, ca.vertcat(*b)


def _dot(a: Vector, b: Vector) -> Any:
    return sum((x * y for x, y in zip(a, b, strict=True)), ca.SX(0))
