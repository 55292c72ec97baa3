"""One component on its own: numbers in, numbers out. For inspection, tests and teaching."""

from __future__ import annotations

from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from gerotor.core.component import Component, Expression, Signal, Signals
from gerotor.errors import WiringError, unknown


def function(component: Component) -> Any:
    """A CasADi function: states and inputs by name -> outputs and rates ("d_<state>") by name."""
    x = {k: _symbol(k, s) for k, s in component.states.items()}
    u = {k: _symbol(k, s) for k, s in component.inputs.items()}
    results = dict(vars(component.output(Signals(**x), Signals(**u))))
    results |= {f"d_{k}": v for k, v in vars(component.derivative(Signals(**x), Signals(**u))).items()}
    given = {**x, **u}
    values = [ca.densify(ca.SX(v)) for v in results.values()]
    return ca.Function("component", list(given.values()), values, list(given), list(results))


def evaluate(component: Component, **values: Any) -> dict[str, float | NDArray[np.float64]]:
    """Outputs, and rates or forces as "d_<state>", at the given states and inputs; what is not given is 0."""
    known = [*component.states, *component.inputs]
    for key in values:
        if key not in known:
            raise WiringError(f"{type(component).__name__}: {unknown('signal', key, known)}")
    return {k: _plain(v) for k, v in function(component)(**values).items()}


def _symbol(name: str, signal: Signal) -> Expression:
    return ca.SX.sym(name, signal.size)


def _plain(value: Any) -> float | NDArray[np.float64]:
    array = np.asarray(value, dtype=float)
    return float(array.item()) if array.size == 1 else array.squeeze()
