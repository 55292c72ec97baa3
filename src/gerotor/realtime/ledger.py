"""The deadline ledger: what a paced run achieved, as numbers.

Lateness of a tick: from its release to its start. Compute time: from its start to its end, everything
included. A deadline is missed where a tick ends after the next one's release. Percentiles are read
from histograms with 16 bins an octave, so they are right to about 6 %; worst cases are exact.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gerotor.realtime.shared import BINS, CLedger

PERCENTILES = (50.0, 99.0, 99.99)


def upper_edge(index: int) -> int:
    """Largest number of ns that falls into bin `index`."""
    if index < 16:
        return index
    octave, part = index // 16 + 3, index % 16
    return int(((17 + part) << (octave - 4)) - 1)


@dataclass(frozen=True)
class Distribution:
    """Percentiles and worst case in s, and the filled bins as {upper edge in ns: count}."""

    p50: float
    p99: float
    p9999: float
    worst: float
    bins: dict[int, int] = field(default_factory=dict)

    @staticmethod
    def of(counts: NDArray[np.int64], worst: int) -> Distribution:
        total = np.cumsum(counts)
        p50, p99, p9999 = (
            min(upper_edge(int(np.searchsorted(total, np.ceil(p / 100 * total[-1])))), worst) if total[-1] else 0
            for p in PERCENTILES
        )
        bins = {upper_edge(int(k)): int(counts[k]) for k in np.flatnonzero(counts)}
        return Distribution(p50 * 1e-9, p99 * 1e-9, p9999 * 1e-9, worst * 1e-9, bins)


@dataclass(frozen=True)
class Ledger:
    """One run's ledger; times in s."""

    rate: float
    policy: str
    ticks: int
    steps: int
    missed: int
    longest_burst: int
    caught_up: int
    skipped: int
    slip: float
    mean_compute: float
    lateness: Distribution
    compute: Distribution
    rows_lost: int = 0
    notices: tuple[str, ...] = ()

    @staticmethod
    def read(c: CLedger, rate: float, policy: str, rows_lost: int = 0, notices: tuple[str, ...] = ()) -> Ledger:
        """A copy of the running numbers."""
        lateness, compute = (np.ctypeslib.as_array(h, shape=(BINS,)).copy() for h in (c.lateness, c.compute))
        return Ledger(
            rate, policy, c.ticks, c.steps, c.missed, c.longest_burst, c.caught_up, c.skipped, c.slip * 1e-9,
            c.compute_sum * 1e-9 / max(1, c.ticks), Distribution.of(lateness, c.worst_lateness),
            Distribution.of(compute, c.worst_compute), rows_lost, notices,
        )

    def facts(self) -> dict[str, Any]:
        """For JSON: what a recording stores."""
        return asdict(self)

    @staticmethod
    def from_facts(facts: dict[str, Any]) -> Ledger:
        """What `facts` gave, also after JSON."""
        parts = {k: Distribution(**{**facts[k], "bins": {int(e): n for e, n in facts[k]["bins"].items()}})
                 for k in ("lateness", "compute")}
        return replace(Ledger(**{**facts, **parts}), notices=tuple(facts["notices"]))

    def rows(self) -> list[tuple[str, str]]:
        """Label and value, for tables."""
        period = 1 / self.rate
        share = f"{100 * self.mean_compute / period:.2g} % of the period"
        actions = f"{self.caught_up} ticks run at once, {self.skipped} left out, {self.slip * 1e3:.3g} ms not simulated"
        missed = f"{self.missed} ({100 * self.missed / max(1, self.ticks):.3g} %), longest burst {self.longest_burst}"
        out = [
            ("rate", f"{self.rate:g} Hz, {self.ticks} ticks, {self.steps} steps"),
            ("compute time", f"mean {_us(self.mean_compute)} ({share}), {_line(self.compute)}"),
            ("lateness", _line(self.lateness)),
            ("missed deadlines", missed),
            (f"policy: {self.policy}", actions),
        ]
        out += [("rows lost", f"{self.rows_lost}: the reader was too slow")] if self.rows_lost else []
        return out + [("notice", text) for text in self.notices]

    def __str__(self) -> str:
        return "\n".join(f"{label:<18} {value}" for label, value in self.rows())


def _us(seconds: float) -> str:
    return f"{seconds * 1e6:.3g} us" if seconds < 0.9995e-3 else f"{seconds * 1e3:.4g} ms"


def _line(d: Distribution) -> str:
    return f"p50 {_us(d.p50)}, p99 {_us(d.p99)}, p99.99 {_us(d.p9999)}, worst {_us(d.worst)}"
