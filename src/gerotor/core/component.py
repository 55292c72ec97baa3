"""What a component is: typed, unit-carrying, range-checked parameters, named signals, equations.

A component is a frozen dataclass. Its parameters may be numbers or CasADi symbols; the equations
cannot tell. Storage parts own states; resistive parts turn states into flows and forces.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from numbers import Real
from types import SimpleNamespace
from typing import Any, ClassVar

from gerotor.errors import ParameterError

Expression = Any  # a CasADi SX or a number; CasADi carries no type information


@dataclasses.dataclass(frozen=True)
class Signal:
    """One named signal of a component, scalar or (with `names`) a vector of named elements.

    `lower` and `upper` are the range in which the model is meant to stay: a run that leaves it
    stops. `scale` is its usual size, `start` its value before any initialisation, `tolerance` the error
    that one step may make in it (0: a tenth of `scale`).
    """

    unit: str
    names: tuple[str, ...] = ()
    units: tuple[str, ...] = ()  # per element, where they differ
    lower: float | tuple[float, ...] = -math.inf
    upper: float | tuple[float, ...] = math.inf
    scale: float = 1.0
    start: float | tuple[float, ...] = 0.0
    tolerance: float = 0.0

    @property
    def size(self) -> int:
        return len(self.names) or 1


def signals(**units: str | Signal) -> dict[str, Signal]:
    """signals(p="Pa", v=Signal("m/s", scale=0.1)): name -> Signal."""
    return {name: s if isinstance(s, Signal) else Signal(s) for name, s in units.items()}


class Signals(SimpleNamespace):
    """Values of signals by name: x.p, u.Q."""


def param(
    unit: str,
    text: str,
    *,
    above: float | None = None,
    least: float | None = None,
    below: float | None = None,
    most: float | None = None,
    default: Any = dataclasses.MISSING,
) -> Any:
    """A parameter with its unit, meaning and allowed range.

    Give a default only where nearly every user keeps it; a quantity that could be anything has none.
    """
    bounds = {"above": above, "least": least, "below": below, "most": most}
    return dataclasses.field(
        default=default, metadata={"unit": unit, "text": text, "bounds": bounds}
    )


_CHECKS: dict[str, tuple[Callable[[float, float], bool], str]] = {
    "above": (lambda v, b: v > b, "must be above"),
    "least": (lambda v, b: v >= b, "must be at least"),
    "below": (lambda v, b: v < b, "must be below"),
    "most": (lambda v, b: v <= b, "must be at most"),
}


def check_range(path: str, value: Any, unit: str, bounds: Mapping[str, float | None]) -> None:
    """Raise ParameterError unless every number in `value` is finite and within `bounds`."""
    if isinstance(value, tuple | list):
        for k, item in enumerate(value):
            check_range(f"{path}[{k}]", item, unit, bounds)
        return
    if isinstance(value, bool) or not isinstance(value, Real):
        return  # symbols, curves and other objects check themselves
    value = float(value)
    shown = f"{path} = {value:.6g}" + (f" {unit}" if unit != "1" else "")
    if not math.isfinite(value):
        raise ParameterError(f"{shown}: must be a finite number")
    for key, (holds, words) in _CHECKS.items():
        bound = bounds.get(key)
        if bound is not None and not holds(value, bound):
            raise ParameterError(f"{shown}: {words} {bound:g}")


class Component:
    """Base of all components.

    Declare `states`, `inputs`, `outputs` as signals(...), class-wide or per instance (property).
    `motion` pairs position and velocity states: q' = v is implied, and for those velocities
    `derivative` returns the force and `mass` the matrix M of M v' = force (None: identity). Where
    q' is not v (a joint that can be locked), `derivative` returns the rate of q as well.
    """

    states: ClassVar[dict[str, Signal]] = {}
    inputs: ClassVar[dict[str, Signal]] = {}
    outputs: ClassVar[dict[str, Signal]] = {}
    motion: ClassVar[tuple[tuple[str, str], ...]] = ()

    def __post_init__(self) -> None:
        self.check(type(self).__name__)

    def check(self, path: str) -> None:
        """Range-check every parameter; `path` names the owner in the message."""
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            if "bounds" in field.metadata:
                value, name, unit = getattr(self, field.name), f"{path}.{field.name}", field.metadata["unit"]
                if isinstance(value, str):
                    raise ParameterError(f"{name} = {value!r}: must be a number in {unit}; gerotor.units.quantity reads text")
                check_range(name, value, unit, field.metadata["bounds"])

    def output(self, x: Signals, u: Signals) -> Signals:
        """Outputs from states and inputs."""
        return Signals()

    def derivative(self, x: Signals, u: Signals) -> Signals:
        """Rates of first-order states; forces of `motion` velocities."""
        return Signals()

    def mass(self, x: Signals, u: Signals) -> Expression | None:
        """Mass matrix of the `motion` velocities, stacked in order; None is the identity."""
        return None

    def bounds(self) -> dict[str, tuple[Expression, Expression]]:
        """What the exact solution never leaves: state -> (least, most), numbers or expressions of parameters.

        A step that passes one is repeated in smaller parts and, where that is not enough, ends at the bound.
        """
        return {}
