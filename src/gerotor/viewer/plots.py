"""Rolling plots of gauges. Time and values scale themselves; values that are nearly nothing are not blown up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gerotor.realtime.stage import Gauge

Array = NDArray[np.float64]
COLOURS = ("#1971c2", "#e8590c", "#2f9e44", "#9c36b5", "#c92a2a", "#0c8599",
           "#e67700", "#5f3dc4", "#495057", "#d6336c", "#66a80f", "#862e9c")
LEAST = 0.02  # of a gauge's top, or of 1 in the unit shown: an axis of a signed gauge reaches at least as far either way


def gauge_values(gauge: Gauge, rows: Array, index: dict[str, int]) -> Array:
    """The gauge's signals in the unit shown, one column a signal."""
    values = rows[:, [index[n] for n in gauge.signals]]
    if gauge.less:
        values = values - rows[:, [index[n] for n in gauge.less]]
    return values * gauge.shown[1]


def short(name: str) -> str:
    """j1.line_1.p -> j1 line 1."""
    parts = [p for p in name.split(".") if p not in ("p", "i", "ref", "q", "v", "arm", "valve", "Q1", "u", "tau", "desired")]
    return " ".join(parts).replace("_", " ") or name


def round_up(value: float) -> float:
    """The next 1, 2 or 5 times a power of ten."""
    if value <= 0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(value))
    return float(next(m * power for m in (1, 2, 5, 10) if m * power >= value * 0.999))


def axis(gauge: Gauge) -> dict[str, Any]:
    """How uPlot is to choose the ends of the value axis."""
    if gauge.positive:
        return {"auto": True}
    reach = LEAST * (gauge.top * gauge.shown[1] if gauge.top else 1.0)
    return {"range": {"min": {"pad": 0.1, "soft": -reach, "mode": 1}, "max": {"pad": 0.1, "soft": reach, "mode": 1}}}


class Plots:
    """One rolling plot a gauge."""

    def __init__(self, gui: Any, gauges: Sequence[Gauge]) -> None:
        self.gauges = gauges
        self.handles = []
        for gauge in gauges:
            unit = gauge.shown[0]
            series = [{"label": "s"}] + [
                {"label": short(n), "stroke": COLOURS[k % len(COLOURS)], "width": 1.6} for k, n in enumerate(gauge.signals)
            ]
            self.handles.append(gui.add_uplot(
                data=(np.array([0.0, 1.0]), *(np.zeros(2) for _ in gauge.signals)), series=tuple(series),
                title=f"{gauge.title} [{unit}]" if unit else gauge.title, height=190,
                scales={"x": {"time": False, "auto": True}, "y": axis(gauge)}, legend={"show": True, "live": False},
                axes=({"ticks": {"show": False}}, {"size": 52, "ticks": {"show": False}}), padding=(6, 12, 0, 0),
            ))

    def show(self, rows: Array, index: dict[str, int]) -> None:
        if len(rows) < 2:
            return
        for gauge, handle in zip(self.gauges, self.handles, strict=True):
            values = gauge_values(gauge, rows, index)
            handle.data = (rows[:, 0].copy(), *(np.ascontiguousarray(values[:, k]) for k in range(values.shape[1])))
