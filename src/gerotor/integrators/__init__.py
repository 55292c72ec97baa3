"""Fixed-step integrators, one a file, knowing no physics. `integrator(name)` finds one by name."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from gerotor.errors import InputError, unknown
from gerotor.integrators.ab3 import AB3
from gerotor.integrators.base import Integrator, Step
from gerotor.integrators.extrapolated_euler import ExtrapolatedEuler, ExtrapolatedEuler3
from gerotor.integrators.hht_alpha import HHTAlpha
from gerotor.integrators.implicit_euler import ImplicitEuler
from gerotor.integrators.linear_euler import LinearEuler
from gerotor.integrators.rk4 import RK4
from gerotor.integrators.rosenbrock import ROS2, Rodas3, Rodas4
from gerotor.integrators.sdirk2 import SDIRK2
from gerotor.integrators.trapezoid import Trapezoid

INTEGRATORS: dict[str, type[Any]] = {
    c.name: c
    for c in (
        RK4, AB3, HHTAlpha, Trapezoid, ImplicitEuler, SDIRK2,
        LinearEuler, ExtrapolatedEuler, ExtrapolatedEuler3, ROS2, Rodas3, Rodas4,
    )
}
DEFAULT = ExtrapolatedEuler.name
_KINDS = {float: "a number", int: "a whole number", bool: "true or false"}


def integrator(name: str = DEFAULT, **options: Any) -> Integrator:
    """The method called `name`, with its options (alpha=, iterations=, ...)."""
    if name not in INTEGRATORS:
        raise InputError(unknown("integrator", str(name), list(INTEGRATORS)))
    kind = INTEGRATORS[name]
    known = {f.name: type(f.default) for f in fields(kind)}
    for key, value in options.items():
        if key not in known:
            raise InputError(f"integrator {name}: {unknown('option', key, list(known))}")
        if type(value) is not known[key] and not (known[key] is float and type(value) is int):
            raise InputError(f"integrator {name}: {key} = {value!r}: must be {_KINDS[known[key]]}")
    made: Integrator = kind(**options)
    return made


__all__ = ["DEFAULT", "INTEGRATORS", "Integrator", "Step", "integrator"]
