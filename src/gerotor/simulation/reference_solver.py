"""A converged solution for comparison only: SciPy's variable-step stiff solvers with the exact Jacobian."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from gerotor.core.ode import Ode
from gerotor.errors import StepError

Array = NDArray[np.float64]


def reference_solution(
    ode: Ode, times: Any, *, start: Mapping[str, float] | None = None, inputs: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None, method: Literal["Radau", "BDF"] = "Radau", tolerance: float = 1e-9,
) -> Array:
    """States at `times` (rows) with constant inputs; `tolerance` is relative to each state's usual size."""
    from scipy.integrate import solve_ivp

    x0, u, p = ode.states.pack(start), ode.inputs.pack(inputs), ode.parameters.pack(parameters)
    rate, slope = ode.function("rate", ode.rate), ode.function("slope", ca.jacobian(ode.rate, ode.x))
    times = np.asarray(times, dtype=float)
    found = solve_ivp(
        lambda t, x: np.asarray(rate(x, u, p, t)).ravel(), (times[0], times[-1]), x0, method=method, t_eval=times,
        jac=lambda t, x: np.asarray(ca.densify(slope(x, u, p, t))), rtol=tolerance, atol=tolerance * ode.states.array("scale"),
    )
    if not found.success:
        raise StepError(f"{ode.name}: the reference solver stopped at {found.t[-1]:.6g} s: {found.message}")
    return np.asarray(found.y.T)
