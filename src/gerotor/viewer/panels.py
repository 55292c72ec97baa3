"""Panels that everybody sees beside the plots: state, bars of the gauges, the deadline ledger."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gerotor.realtime.ledger import Distribution, Ledger
from gerotor.realtime.session import Session
from gerotor.realtime.stage import Gauge
from gerotor.realtime.training import Training
from gerotor.viewer.plots import COLOURS, gauge_values, round_up, short

Array = NDArray[np.float64]
NAME = "width:88px;white-space:nowrap;overflow:hidden;text-overflow:ellipsis"
WINDOW = 10.0  # s of a rolling plot


def bars(gauges: Sequence[Gauge], rows: Array, index: dict[str, int]) -> str:
    """The newest row as bars with numbers: up to the gauge's top or the largest in `rows`; signed ones from the middle."""
    parts = []
    for gauge in gauges:
        unit, factor = gauge.shown
        history = gauge_values(gauge, rows, index)
        top = gauge.top * factor if gauge.top else round_up(float(np.abs(history).max(initial=0.0)))
        digits = int(np.clip(3 - np.floor(np.log10(top)), 0, 5))
        ends = f"{'' if gauge.positive else '&plusmn;'}{top:g} {html.escape(unit)}"
        parts.append(f"<div style='margin:10px 0 2px;font-weight:600'>{html.escape(gauge.title)} "
                     f"<span style='opacity:.55;font-weight:400'>{'0 to ' if gauge.positive else ''}{ends}</span></div>")
        for k, (name, value) in enumerate(zip(gauge.signals, history[-1], strict=True)):
            share = min(1.0, abs(float(value)) / top)
            left, width = (0.0, 100 * share) if gauge.positive else (50 - 50 * share * (value < 0), 50 * share)
            parts.append(
                "<div style='display:flex;align-items:center;gap:6px;line-height:1.45'>"
                f"<span style='{NAME}' title='{html.escape(name)}'>{html.escape(short(name))}</span>"
                "<span style='flex:1;height:8px;background:rgba(128,128,128,.18);border-radius:4px;overflow:hidden'>"
                f"<span style='display:block;height:8px;margin-left:{left:.1f}%;width:{width:.1f}%;"
                f"background:{COLOURS[k % len(COLOURS)]}'></span></span>"
                "<span style='width:58px;text-align:right;font-variant-numeric:tabular-nums'>"
                f"{round(float(value), digits) + 0.0:.{digits}f}</span></div>"
            )
    return f"<div style='font-size:12px;padding:0 10px 8px'>{''.join(parts)}</div>"


BADGES = {"running": "#2f9e44", "paused": "#e67700", "stopped": "#868e96", "ready": "#868e96"}


def headline(session: Session, operator: str, watching: int, training: Training | None = None) -> str:
    """State, time, method, recording, as a small table."""
    run = session.run
    stopped = run.input_state in ("emergency stop", "safe stop")
    state = run.input_state.upper() if stopped else run.state
    colour = "#c92a2a" if stopped or session.reason else BADGES.get(run.state, "#c92a2a")
    lines = [
        ("time", f"{run.time:.2f} s, {run.scale:g} x"),
        ("solver", f"{session.method}, {session.step * 1e3:g} ms, loop {session.rate:g} Hz"),
        ("operator", f"{operator}, {watching} watching"),
    ]
    if session.recorder is not None:
        trouble = f" ({session.recorder.trouble}, {session.recorder.lost} rows lost)" if session.recorder.trouble else ""
        lines.append(("recording", f"{session.recorder.path.name}, {session.recorder.rows} rows{trouble}"))
    if training is not None:
        lines.append(("training", training.lines))
    if session.reason:
        lines.append(("stopped", session.reason))
    if session.trouble:
        lines.append(("notice", session.trouble))
    rows = "".join(f"<tr><td style='opacity:.6;padding-right:8px;vertical-align:top'>{html.escape(a)}</td>"
                   f"<td>{html.escape(b)}</td></tr>" for a, b in lines)
    return (
        "<div style='padding:6px 10px;font-size:12.5px'><div style='display:flex;align-items:center;gap:8px;margin-bottom:4px'>"
        f"<b style='font-size:15px'>{html.escape(session.machine_name)}</b>"
        f"<span style='background:{colour};color:#fff;border-radius:9px;padding:1px 9px'>{html.escape(state)}</span></div>"
        f"<div style='opacity:.75;margin-bottom:4px'>{html.escape(session.stage.title)}</div><table>{rows}</table></div>"
    )


def ledger_panel(ledger: Ledger) -> str:
    """The deadline ledger with its two histograms."""
    rows = "".join(f"<tr><td style='opacity:.6;padding-right:8px;vertical-align:top;white-space:nowrap'>{html.escape(a)}</td>"
                   f"<td>{html.escape(b)}</td></tr>" for a, b in ledger.rows())
    charts = histogram("compute time", ledger.compute, "#1971c2") + histogram("lateness", ledger.lateness, "#e8590c")
    return f"<div style='padding:6px 10px;font-size:12px'><table>{rows}</table>{charts}</div>"


def histogram(title: str, d: Distribution, colour: str) -> str:
    """Counts over time, both logarithmic, as SVG."""
    width, height = 300, 70
    low, high = 100.0, 1e8  # ns
    columns = np.zeros(60)
    for edge, count in d.bins.items():
        k = int(np.clip(np.log(max(edge, low) / low) / np.log(high / low) * 60, 0, 59))
        columns[k] += count
    top = np.log10(columns.max() + 1) if columns.max() > 0 else 1.0
    tall = 60 * np.log10(columns + 1) / top
    rects = "".join(f"<rect x='{k * 5}' y='{height - h:.1f}' width='4.4' height='{h:.1f}' fill='{colour}'/>"
                    for k, h in enumerate(tall) if h)
    marks = "".join(
        f"<text x='{x * width / 6:.0f}' y='{height + 12}' font-size='9' fill='gray' text-anchor='middle'>{label}</text>"
        for x, label in enumerate(("", "1 us", "10", "100", "1 ms", "10", ""))
    )
    return (f"<div style='margin-top:6px;font-weight:600'>{title}</div>"
            f"<svg viewBox='0 0 {width} {height + 15}' style='width:100%'>{rects}"
            f"<line x1='0' x2='{width}' y1='{height}' y2='{height}' stroke='gray' stroke-width='.6'/>{marks}</svg>")
