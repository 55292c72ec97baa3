"""Steps of an integrator by hand, without the code path: what the method itself does."""

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from gerotor.core.ode import Ode
from gerotor.integrators import Integrator

Array = NDArray[np.float64]


def march(method: Integrator, ode: Ode, x0: list[float], step: float, count: int) -> Array:
    """The state after `count` steps."""
    made = method.build(ode)
    x = np.array(x0, dtype=float)
    m = np.asarray(made.start(x, [], [], 0.0)).ravel() if made.start is not None else np.zeros(made.memory)
    for k in range(count):
        call = made.warm if k < made.warmup else made.step
        x, m, _ = (np.asarray(v).ravel() for v in call(x, m, [], [], k * step, step))
    return x


def exact(ode: Ode, x0: list[float], end: float) -> Array:
    """SciPy's DOP853, tight."""
    run = solve_ivp(lambda t, x: ode.derivative_at(x, t=t), (0, end), x0, method="DOP853", rtol=1e-13, atol=1e-14)
    return np.asarray(run.y[:, -1])


def measured_order(method: Integrator, ode: Ode, x0: list[float], end: float, counts: tuple[int, ...]) -> float:
    """Slope of log error over log step, least squares."""
    truth = exact(ode, x0, end)
    errors = [np.linalg.norm(march(method, ode, x0, end / n, n) - truth) for n in counts]
    return float(-np.polyfit(np.log(counts), np.log(errors), 1)[0])


def amplification(method: Integrator, ode: Ode, step: float) -> Array:
    """The matrix of one step of a linear Ode on (states, memory)."""
    made = method.build(ode)
    n = len(ode.states)
    columns = []
    for unit in np.eye(n + made.memory):
        x, m, _ = made.step(unit[:n], unit[n:], [], [], 0.0, step)
        columns.append(np.concatenate([np.asarray(x).ravel(), np.asarray(m).ravel()]))
    return np.array(columns).T
