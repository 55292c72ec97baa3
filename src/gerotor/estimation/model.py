"""The augmented discrete model of a filter, from any Ode and integrator.

    z = unknown states and parameters,   z_k = f(z_k-1, u_k-1) + w,   o_k = h(z_k, u_k) + e   (1)
    f_z = [A B; 0 1],   A, B: derivatives of the step by unknown states and parameters        (2)
    Q = sum over noise columns g q g':  a random walk adds noise^2 T to its own variance,
        white acceleration adds noise^2 [T^3/3 T^2/2; T^2/2 T] to position and velocity,
        as (T/2, 1) noise^2 T (.)' + (1, 0) noise^2 T^3/12 (.)'                               (3)

f is the integrator's step, `substeps` of them in a sample period T. States that are not unknown
follow the model. Source: [khadim2021, eqs. 20, 24, 30, 31, 37, 38] with the blocks put right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from gerotor.core.component import check_range
from gerotor.core.ode import Ode
from gerotor.errors import InputError, WiringError, unknown
from gerotor.estimation.unknown import Measured, Unknown
from gerotor.integrators.base import Integrator

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FilterModel:
    """(1) as CasADi functions. The vector z holds the unknown states first, then parameters that wander, then constant ones."""

    ode: Ode
    unknowns: tuple[Unknown, ...]
    measured: tuple[Measured, ...]
    period: float
    integrator: Integrator
    substeps: int = 1

    def __post_init__(self) -> None:
        check_range("period", self.period, "s", {"above": 0})
        check_range("substeps", self.substeps, "1", {"least": 1, "most": 1000})
        _once("unknown", self.unknowns)
        known = self.ode.states.names + self.ode.parameters.names
        for item in self.unknowns:
            if item.name not in known:
                raise WiringError(unknown("state or tunable parameter", item.name, known))
        for sensor in self.measured:
            if sensor.name not in self.ode.states and sensor.name not in self.ode.outputs:
                raise WiringError(unknown("measurable signal", sensor.name, self.ode.states.names + self.ode.outputs.names))
        if not self.unknowns or not self.measured:
            raise InputError(f"{self.ode.name}: a filter needs at least one unknown and one measured signal")
        states = [q for q in self.unknowns if q.name in self.ode.states]
        parameters = sorted((q for q in self.unknowns if q.name not in self.ode.states), key=lambda q: q.noise == 0)
        object.__setattr__(self, "unknowns", (*states, *parameters))

    @cached_property
    def states(self) -> list[int]:
        """Positions in x of the unknown states."""
        return [self.ode.states.index(q.name) for q in self.unknowns if q.name in self.ode.states]

    @cached_property
    def parameters(self) -> list[int]:
        """Positions in p of the unknown parameters."""
        return [self.ode.parameters.index(q.name) for q in self.unknowns if q.name not in self.ode.states]

    @property
    def names(self) -> list[str]:
        return [q.name for q in self.unknowns]

    @property
    def units(self) -> list[str]:
        entries = {e.name: e.unit for e in (*self.ode.states, *self.ode.parameters)}
        return [entries[n] for n in self.names]

    @property
    def measured_units(self) -> list[str]:
        entries = {e.name: e.unit for e in (*self.ode.outputs, *self.ode.states)}
        return [entries[m.name] for m in self.measured]

    @property
    def size(self) -> int:
        return len(self.unknowns)

    @property
    def moving(self) -> int:
        """How many unknowns are states or parameters that wander; the rest are constant."""
        return len(self.states) + sum(self.unknowns[k].noise > 0 for k in range(len(self.states), self.size))

    def functions(self) -> dict[str, Any]:
        """predict (x, u, p, t) -> x, A, B;  advance: the same without slopes;  measure (x, u, p, t) -> o, h_z."""
        method = self.integrator.build(self.ode)
        if method.memory:
            raise InputError(f"integrator {self.integrator.name} keeps a memory: choose a one-step method")
        x, u = ca.MX.sym("x", len(self.ode.states)), ca.MX.sym("u", len(self.ode.inputs))
        p, t = ca.MX.sym("p", len(self.ode.parameters)), ca.MX.sym("t")
        h, following = self.period / self.substeps, x
        inline = method.step.class_name() == "MXFunction"  # a chain of stages: differentiate it stage by stage
        for k in range(self.substeps):
            following, *_ = method.step.call([following, ca.MX(0, 1), u, p, t + k * h, h], inline, not inline)
        slopes = ca.jacobian(following, ca.vertcat(x, p))
        A = slopes[self.states, self.states]  # (2)
        B = slopes[self.states, [len(self.ode.states) + k for k in self.parameters]]  # (2)
        given = [self.ode.x, self.ode.u, self.ode.p, self.ode.t]
        o = ca.vertcat(*[self.ode.signal(m.name) - m.offset for m in self.measured])
        slope = ca.horzcat(ca.jacobian(o, self.ode.x)[:, self.states], ca.jacobian(o, self.ode.p)[:, self.parameters])
        return {
            "predict": ca.Function("filter_predict", [x, u, p, t], [following, ca.densify(A), ca.densify(B)]),
            "advance": ca.Function("filter_advance", [x, u, p, t], [following]),
            "measure": ca.Function("filter_measure", given, [ca.densify(o), ca.densify(slope)], {"cse": True}),
        }

    @cached_property
    def start_covariance(self) -> Array:
        """P before the first sample: unknowns of a group are correlated by their common part."""
        P = np.diag([q.std**2 for q in self.unknowns])
        for i, a in enumerate(self.unknowns):
            for j, b in enumerate(self.unknowns):
                if i != j and a.group and a.group == b.group:
                    P[i, j] = a.common * b.common
        return P

    @cached_property
    def noise(self) -> tuple[Array, Array]:
        """Columns g and variances q of (3)."""
        pairs = {v: q for block in self.ode.blocks for q, v in zip(block.q, block.v, strict=False)}
        columns: list[Array] = []
        variances: list[float] = []
        for k, item in enumerate(self.unknowns):
            if item.noise == 0:
                continue
            column, density = np.zeros(self.size), item.noise**2
            column[k] = 1.0
            position = pairs.get(self.states[k]) if k < len(self.states) else None
            if position in self.states:
                i = self.states.index(position)  # type: ignore[arg-type]
                column[i] = self.period / 2
                extra = np.zeros(self.size)
                extra[i] = 1.0
                columns.append(extra)
                variances.append(density * self.period**3 / 12)
            columns.append(column)
            variances.append(density * self.period)
        return np.array(columns).reshape(len(columns), self.size).T, np.array(variances)

    @property
    def process_covariance(self) -> Array:
        """Q of (3)."""
        g, q = self.noise
        return np.asarray((g * q) @ g.T)


def _once(kind: str, items: Sequence[Unknown]) -> None:
    names = [i.name for i in items]
    twice = sorted({n for n in names if names.count(n) > 1})
    if twice:
        raise InputError(f"{kind} {', '.join(twice)} is given twice")
