"""HTML reports: one file, figures by plotly, tables, nothing fetched from anywhere."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from gerotor.simulation.recording import Recording


@dataclass
class Line:
    """One curve of a figure."""

    x: Any
    y: Any
    name: str
    dash: str = "solid"
    mode: str = "lines"


@dataclass
class Figure:
    """Curves over one axis, or (with `plotly`) any plotly figure."""

    title: str
    x: str = "time [s]"
    y: str = ""
    lines: list[Line] = field(default_factory=list)
    caption: str = ""
    log_x: bool = False
    log_y: bool = False
    plotly: Any = None

    def add(self, x: Any, y: Any, name: str, dash: str = "solid", mode: str = "lines") -> Figure:
        self.lines.append(Line(x, y, name, dash, mode))
        return self

    def draw(self) -> Any:
        """The plotly figure."""
        import plotly.graph_objects as go
        from plotly.colors import qualitative

        if self.plotly is not None:
            return self.plotly
        figure = go.Figure()
        for line in self.lines:
            x, y = thin(np.asarray(line.x, dtype=float), np.asarray(line.y, dtype=float))
            figure.add_trace(go.Scatter(x=x, y=y, name=line.name, mode=line.mode, line={"dash": line.dash, "width": 1.6}))
        few = len(self.lines) <= 8
        figure.update_layout(
            template="plotly_white", height=380 if few else 460, margin={"l": 70, "r": 20, "t": 20, "b": 50},
            legend={"orientation": "h", "y": 1.08, "x": 0} if few else {}, hovermode="x unified",
            colorway=None if few else qualitative.Dark24,
        )
        figure.update_xaxes(title=self.x, type="log" if self.log_x else "linear")
        figure.update_yaxes(title=self.y, type="log" if self.log_y else "linear", exponentformat="power")
        return figure


@dataclass
class TableRows:
    """A table: title, column heads, rows of text."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[Any]]


def thin(x: Any, y: Any, most: int = 4000) -> tuple[Any, Any]:
    """At most about `most` points, keeping the smallest and largest of every stretch."""
    if len(x) <= most:
        return x, y
    parts = np.array_split(np.arange(len(x)), most // 2)
    keep = np.unique(np.concatenate([[p[np.argmin(y[p])], p[np.argmax(y[p])]] for p in parts]))
    return x[keep], y[keep]


STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:1000px;margin:32px auto;padding:0 20px;color:#1b1f24}
h1{font-size:26px;margin-bottom:4px}h2{font-size:18px;margin:34px 0 6px}p.sub{color:#57606a;margin-top:0}
table{border-collapse:collapse;width:100%;font-size:13.5px;margin:8px 0}th,td{border-bottom:1px solid #d8dee4;padding:6px 8px;
text-align:left;vertical-align:top}th{color:#57606a;font-weight:600}td.holds{color:#1a7f37;font-weight:600}
td.differs{color:#b35900;font-weight:600}td.hardware{color:#57606a}td.short{white-space:nowrap}
p.caption{color:#57606a;font-size:13.5px;margin:2px 0 0}
"""


def write_report(path: Path, title: str, subtitle: str, tables: Sequence[TableRows], figures: Sequence[Figure]) -> Path:
    """One self-contained HTML file."""
    from plotly.io import to_html
    from plotly.offline import get_plotlyjs

    parts = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{html.escape(title)}</title><style>{STYLE}</style>",
        f"<script>{get_plotlyjs()}</script>" if figures else "",
        f"<h1>{html.escape(title)}</h1><p class=sub>{html.escape(subtitle)}</p>",
    ]
    for table in tables:
        parts.append(_table(table))
    for figure in figures:
        parts.append(f"<h2>{html.escape(figure.title)}</h2>")
        if figure.caption:
            parts.append(f"<p class=caption>{html.escape(figure.caption)}</p>")
        parts.append(to_html(figure.draw(), full_html=False, include_plotlyjs=False, auto_play=False))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(parts) + "</html>", encoding="utf-8")
    return path


def _table(table: TableRows) -> str:
    def cell(value: Any) -> str:
        text = html.escape(show(value))
        kind = f" class={text}" if text in ("holds", "differs", "hardware") else " class=short" if len(text) <= 10 else ""
        return f"<td{kind}>{text}</td>"

    heads = "".join(f"<th>{html.escape(h)}</th>" for h in table.heads)
    rows = "".join("<tr>" + "".join(map(cell, row)) + "</tr>" for row in table.rows)
    return f"<h2>{html.escape(table.title)}</h2><table><tr>{heads}</tr>{rows}</table>"


def show(value: Any) -> str:
    """A number with four digits, text as it is, nothing as a dash."""
    if value is None:
        return "–"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def recording_figures(recording: Recording) -> list[Figure]:
    """One figure for every unit: all columns of that unit."""
    figures: dict[str, Figure] = {}
    for name, unit in zip(recording.names, recording.units, strict=True):
        figures.setdefault(unit, Figure(f"Signals in {unit}", y=f"[{unit}]")).add(recording.time, recording[name], name)
    return list(figures.values())
