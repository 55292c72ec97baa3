"""Rest in balance: states (and, where asked, inputs) at which nothing changes.

    find y with x'(x, u, p, t) = 0,   y: the states and inputs that are free             (1)
    y <- y - s (x'_y)^+ x',   in units of each signal's scale, s halved until |x'| falls (2)
    where this finds nothing, the free states first follow their own motion for a while by
    y <- y + (1/h - y'_y)^-1 y',  h growing                                              (3)

The pseudo-inverse serves all cases at once: as many unknowns as equations, more equations that
agree (a shut valve keeps any pressure), or more unknowns (the balance nearest to the start).
Second-order states start at rest: velocities are 0 unless they are held at something else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from gerotor.core.ode import Ode
from gerotor.errors import NoSolutionError, WiringError, unknown

Array = NDArray[np.float64]
Balance = Callable[[Array], tuple[Array, Array]]  # unknowns -> scaled rates and their slopes


def equilibrium(
    ode: Ode,
    *,
    start: Mapping[str, float] | None = None,
    hold: Sequence[str] | None = None,
    free_inputs: Sequence[str] = (),
    inputs: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None,
    time: float = 0.0,
    tolerance: float = 1e-7,
    iterations: int = 100,
) -> dict[str, float]:
    """Start values of all states, and of the inputs freed, in balance.

    `hold` names what keeps its start value: by default every position of a second-order block.
    Every other state may move. `tolerance` is the largest |x'| over scale and second.
    """
    x, u = ode.states.pack(start), ode.inputs.pack(inputs)
    p = ode.parameters.pack(parameters)
    speeds = [v for block in ode.blocks if block.second_order for v in block.v]
    for k in speeds:
        if ode.states.names[k] not in (start or {}):
            x[k] = 0.0
    kept = {i for block in ode.blocks for i in block.q} if hold is None else {_index(ode, n) for n in hold}
    free = [k for k in range(len(ode.states)) if k not in kept]
    levers = ode.inputs.indices(free_inputs)
    scale_x, scale_u = ode.states.array("scale"), ode.inputs.array("scale")
    unit = np.concatenate([scale_x[free], scale_u[levers]])
    slope = ode.function("slope", ode.rate, ca.jacobian(ode.rate, ode.x)[:, free], ca.jacobian(ode.rate, ode.u)[:, levers])

    def at(y: Array) -> tuple[Array, Array]:
        x[free], u[levers] = y[: len(free)], y[len(free) :]
        rate, dx, du = (np.array(ca.densify(v)) for v in slope(x, u, p, time))
        return rate.ravel() / scale_x, np.hstack([dx, du]) / scale_x[:, None] * unit

    y = np.concatenate([x[free], u[levers]])
    y, rate = _newton(at, y, unit, tolerance, iterations)
    if not np.abs(rate).max(initial=0.0) < tolerance:
        y, rate = _newton(at, _relax(at, y, unit, free), unit, tolerance, iterations)
    at(y)
    if not np.abs(rate).max(initial=0.0) < tolerance:
        raise NoSolutionError(_why(ode, rate, sorted(kept)))
    return ode.states.unpack(x) | {n: float(u[k]) for n, k in zip(free_inputs, levers, strict=True)}


def _newton(at: Balance, y: Array, unit: Array, tolerance: float, iterations: int) -> tuple[Array, Array]:
    """(2) until the tolerance is met or no step helps."""
    rate, jacobian = at(y)
    for _ in range(iterations):
        if not np.all(np.isfinite(rate)) or np.abs(rate).max(initial=0.0) < tolerance:
            break
        step = np.linalg.lstsq(jacobian, -rate, rcond=1e-13)[0] * unit
        share, size = 1.0, float(np.linalg.norm(rate))
        while share > 1e-9:
            trial, slope = at(y + share * step)  # (2)
            if np.all(np.isfinite(trial)) and np.linalg.norm(trial) < size:
                y, rate, jacobian = y + share * step, trial, slope
                break
            share /= 2
        else:
            break
    return y, rate


def _relax(at: Balance, y: Array, unit: Array, free: list[int]) -> Array:
    """Where the free states go by themselves while the others are held, (3)."""
    n, h = len(free), 1e-4
    for _ in range(200):
        rate, jacobian = at(y)
        matrix = np.eye(n) / h - jacobian[free, :n]
        step = np.linalg.lstsq(matrix, rate[free], rcond=None)[0] * unit[:n]
        if not np.all(np.isfinite(step)):
            break
        y = np.concatenate([y[:n] + step, y[n:]])
        h *= 1.3
    return y


def _index(ode: Ode, name: str) -> int:
    if name not in ode.states:
        raise WiringError(unknown("state", name, ode.states.names))
    return ode.states.index(name)


def _why(ode: Ode, rate: Any, kept: list[int]) -> str:
    worst = int(np.argmax(np.where(np.isfinite(rate), np.abs(rate), np.inf)))
    entry = ode.states.entries[worst]
    held = ", ".join(ode.states.names[k] for k in kept) or "nothing"
    return (f"{ode.name}: no balance with {held} held: {entry.name} still changes by {rate[worst] * entry.scale:.4g} "
            f"{entry.unit}/s at best; free another state or input, or start elsewhere")
