"""Gauges: sampled readings with white noise, an offset and their own rates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import casadi as ca

from gerotor.core.component import check_range
from gerotor.core.layout import Entry, Layout
from gerotor.core.sampled import Sampled
from gerotor.maths.noise import normal, seed_state


@dataclass(frozen=True, kw_only=True)
class Gauge:
    """Reads `signal` at every `every`-th sample, NaN between:

    y = signal - offset + std n,   n normal, of deviation 1                                  (1)
    """

    signal: str
    unit: str
    std: float
    offset: float = 0.0
    every: int = 1

    def __post_init__(self) -> None:
        check_range(f"{self.signal}.std", self.std, self.unit, {"least": 0})
        check_range(f"{self.signal}.every", self.every, "1", {"least": 1})


def gauges(readings: Mapping[str, Gauge], *, period: float, name: str = "gauges", seed: int = 1) -> Sampled:
    """A part that holds one signal a gauge, under the names given."""
    fitted = list(readings.values())

    def update(d: Any, r: Any, t: Any) -> tuple[Any, Any]:
        random, n = normal(d[0], len(fitted))
        y = [r[k] - g.offset + g.std * n[k] for k, g in enumerate(fitted)]  # (1)
        for k, g in enumerate(fitted):
            if g.every > 1:
                y[k] = ca.if_else(ca.fmod(d[1], g.every) < 0.5, y[k], ca.SX.nan())
        return ca.vertcat(random, d[1] + 1), ca.vertcat(*y)

    states = Layout((Entry("random", start=seed_state(seed)), Entry("count")))
    holds = Layout(tuple(Entry(key, g.unit) for key, g in readings.items()))
    return Sampled(name, period, tuple(g.signal for g in fitted), holds, update, states)
