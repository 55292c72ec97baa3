"""What data of this kind can tell, before any data: the covariance a filter would reach.

    the model runs with its start values; the covariance is updated as if every signal were
    measured, the mean is not; what an unknown's standard deviation shrinks to is its worth  (1)
    two unknowns whose errors end with |correlation| near 1 can only be told together        (2)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gerotor.estimation.filter import Filter


@dataclass(frozen=True)
class Worth:
    """One unknown: standard deviation before and after, whom it is confused with, and a verdict."""

    name: str
    unit: str
    before: float
    after: float
    partner: str
    correlation: float

    @property
    def verdict(self) -> str:
        """told: shrinks below a third; weak: below 0.9; not told: the data say nothing about it."""
        share = self.after / self.before
        told = "told" if share < 1 / 3 else "weak" if share < 0.9 else "not told"
        return f"{told}, only together with {self.partner}" if abs(self.correlation) > 0.95 and told != "not told" else told


def observability(filter: Filter, time: Any, inputs: Any, *, available: Any = None, start: Mapping[str, float] | None = None,
                  parameters: Mapping[str, float] | None = None) -> list[Worth]:
    """One line an unknown, for the inputs of a planned or given run; `available` is data whose NaN say
    which samples will be missing."""
    there = np.zeros((len(np.atleast_1d(time)), len(filter.model.measured)))
    if available is not None:
        there[~np.isfinite(np.asarray(available, float))] = np.nan
    found = filter.run(time, inputs, there, start=start, parameters=parameters, frozen=True)  # (1)
    std = np.sqrt(np.diag(found.covariance))
    correlation = found.covariance / np.outer(std, std) - np.eye(len(std))
    out = []
    for k, item in enumerate(filter.model.unknowns):
        j = int(np.argmax(np.abs(correlation[k])))  # (2)
        partner, share = filter.model.names[j], float(correlation[k, j])
        out.append(Worth(item.name, filter.model.units[k], item.std, float(std[k]), partner, share))
    return out
