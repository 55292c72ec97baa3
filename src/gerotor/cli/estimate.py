"""`gerotor estimate DATA --machine M --config C.yaml`: measured data to curves, parameters, residuals."""

from __future__ import annotations

from pathlib import Path

import typer
from rich.console import Console

from gerotor.cli.output import plain_table, writable, writing
from gerotor.errors import InputError
from gerotor.estimation.estimate import BAND
from gerotor.simulation.estimation_task import Estimated, estimate_data
from gerotor.simulation.report import Figure, TableRows, write_report


def estimate(
    data: Path = typer.Argument(help="measured data, .parquet or .csv (header: name [unit])"),
    machine: str = typer.Option(..., "--machine", help="a reference machine or a .yaml file"),
    config: Path = typer.Option(..., "--config", help="unknowns, measured columns, start"),
    out: Path = typer.Option(Path("out"), "--out", help="folder for the estimate and the report"),
) -> None:
    """Estimate states, parameters and curves of a machine from measured data."""
    console = Console()
    writable(out)
    with console.status("estimating"):
        found = estimate_data(data, machine, config)
    rows = parameter_rows(found)
    table = plain_table("unknown", "estimate", "95 % band", "unit", "data tell it")
    for row in rows:
        table.add_row(*row)
    console.print(table, highlight=False, markup=False)
    console.print(residual_line(found), highlight=False)
    stem = out / f"{data.stem}-estimate"
    with writing(out):
        paths = (found.recording.save(stem.with_suffix(".parquet")), _report(found, rows, stem.with_suffix(".html"), data))
    for path in paths:
        console.print(str(path), highlight=False, soft_wrap=True)


def parameter_rows(found: Estimated) -> list[tuple[str, str, str, str, str]]:
    """Every unknown at the end: estimate, half width of its band, unit, worth of the data for it."""
    final = found.estimate.final()
    return [
        (w.name, f"{final[w.name][0]:.6g}", f"+- {BAND * final[w.name][1]:.3g}", w.unit, w.verdict) for w in found.worth
    ]


def residual_line(found: Estimated) -> str:
    """Whether the innovations are as large as they should be."""
    begun = float(found.estimate.time[0] + 0.1 * (found.estimate.time[-1] - found.estimate.time[0]))
    try:
        nis, low, high = found.estimate.consistency(begun)
    except InputError:
        return "no measured sample in the last nine tenths of the data: nothing was estimated there"
    fits = "the model fits the data"
    if nis < low:
        fits = "smaller than told: the noise is set too large"
    elif nis > high:
        fits = "too large: model, noise or a sensor is wrong"
    return f"innovations squared over their variance: {nis:.3f} (95 % range {low:.3f} to {high:.3f}): {fits}"


def _report(found: Estimated, rows: list[tuple[str, str, str, str, str]], path: Path, data: Path) -> Path:
    tables = [TableRows("Unknowns", ("unknown", "estimate", "95 % band", "unit", "data tell it"), rows)]
    figures = []
    for curve in found.curves:
        figure = Figure(curve.name, x="relative opening", y="flow coefficient")
        figure.add(curve.x, curve.y, "estimate").add(curve.x, curve.y - curve.half, "95 %", "dash")
        figures.append(figure.add(curve.x, curve.y + curve.half, "", "dash"))
    e = found.estimate
    for k, name in enumerate(e.measured):
        figure = Figure(f"innovation of {name}").add(e.time, e.innovation[:, k], "innovation", mode="markers")
        half = BAND * e.innovation_std[:, k]
        figures.append(figure.add(e.time, half, "95 %", "dash").add(e.time, -half, "", "dash"))
    for name, unit in zip(e.names, found.units, strict=True):
        low, high = e.band(name)
        figure = Figure(name, y=unit).add(e.time, e[name], "estimate").add(e.time, low, "95 %", "dash")
        figures.append(figure.add(e.time, high, "", "dash"))
    return write_report(path, f"Estimate from {data.name}", residual_line(found), tables, figures)


def register(app: typer.Typer) -> None:
    app.command()(estimate)
