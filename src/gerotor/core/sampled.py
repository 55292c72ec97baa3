"""Parts that act at their own rate: controllers, estimators, trajectory generators, sampled sensors.

At every multiple of `period` the part reads signals r, advances its discrete state d and sets the
signals it holds, constant until its next sample:

    (d, w) <- update(d, r, t)                                                            (1)

`update` works on CasADi expressions and becomes part of the compiled run. With `native=False` it
is an ordinary Python function on NumPy arrays, and the run returns to Python at its samples.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from gerotor.core.component import check_range
from gerotor.core.layout import Layout

Update = Callable[[Any, Any, Any], tuple[Any, Any]]


@dataclass(frozen=True)
class Sampled:
    """Reads any state, output, input or held signal by path; holds inputs of the Ode or new signals."""

    name: str
    period: float
    reads: tuple[str, ...]
    holds: Layout
    update: Update
    states: Layout = field(default_factory=Layout)
    native: bool = True

    def under(self, prefix: str, shared: tuple[str, ...] = ()) -> Sampled:
        """The same part for a machine whose signals stand under `prefix`; those that start with one of
        `shared` keep their names."""

        def name(signal: str) -> str:
            return signal if signal.startswith(shared) else prefix + signal

        holds = Layout(tuple(replace(e, name=name(e.name)) for e in self.holds))
        return replace(self, name=prefix + self.name, reads=tuple(map(name, self.reads)), holds=holds)

    def __post_init__(self) -> None:
        check_range(f"{self.name}.period", self.period, "s", {"above": 0})
