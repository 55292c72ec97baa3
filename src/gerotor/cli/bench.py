"""`gerotor bench [NAME]`: speed and accuracy, side by side with peers in one run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Optional

import typer
from rich.console import Console
from rich.table import Table

from gerotor.bench.base import Result
from gerotor.cli.output import writable
from gerotor.errors import InputError, unknown

BENCHES = {
    "step": "microseconds a step of each integrator, beside MuJoCo and Pinocchio",
    "work-precision": "error against wall time over a ladder of steps, and a recommended step",
    "cold-start": "import, build, compile, first step; cold and cached",
}


def bench(
    name: Optional[str] = typer.Argument(None, help="which bench; none lists them"),  # noqa: UP045
    machine: str = typer.Argument("kaeri-arm", help="machine of work-precision and cold-start: a name or a file"),
    json_file: Optional[Path] = typer.Option(None, "--json", help="write the machine-readable result here"),  # noqa: UP045
    report: Path = typer.Option(Path("out"), "--report", help="folder for the figure"),
    quick: bool = typer.Option(False, "--quick", help="few steps and repeats: a trial, not a measurement"),
) -> None:
    """Measure on this machine; nothing else should run beside it."""
    console = Console()
    if name is None:
        table = Table("bench", "what it measures", box=None, pad_edge=False)
        for key, text in BENCHES.items():
            table.add_row(key, text)
        console.print(table, highlight=False)
        return
    if name not in BENCHES:
        raise InputError(unknown("bench", name, list(BENCHES)))
    writable(report if json_file is None else json_file.parent)
    with console.status("") as status:
        result = _run(name, machine, quick, status.update)
    table = Table("system", "case", "value", "unit", box=None, pad_edge=False)
    for row in result.rows:
        table.add_row(row.system, row.case, f"{row.value:.4g}", row.unit)
    console.print(table, highlight=False)
    for note in result.notes:
        console.print(note, highlight=False, soft_wrap=True)
    if json_file is not None:
        json_file.write_text(json.dumps(result.as_json(name), indent=2))
    if result.figures:
        from gerotor.simulation.report import TableRows, write_report

        heads = ("system", "case", "value", "unit")
        rows = TableRows("Measured", heads, [tuple(getattr(r, h) for h in heads) for r in result.rows])
        page = writable(report) / f"{name}-{Path(machine).stem}.html"
        write_report(page, f"{name}: {Path(machine).stem}", "; ".join(result.notes), [rows], result.figures)
        console.print(f"report: {page}", highlight=False, soft_wrap=True)


def _run(name: str, machine: str, quick: bool, say: Callable[[str], None]) -> Result:
    from gerotor.bench.cold_start import cold_start
    from gerotor.bench.step import step_bench
    from gerotor.bench.work_precision import work_precision

    if name == "step":
        return step_bench(say, steps=200, repeats=2, methods=("hht-alpha", "extrapolated")) if quick else step_bench(say)
    if name == "work-precision":
        if quick:
            return work_precision(machine, say, duration=2.5, ladder=(2e-4, 1e-3, 1e-2), repeats=1,
                                  methods=("hht-alpha", "extrapolated"), reference=5e-5)
        return work_precision(machine, say)
    return cold_start(say, machine=machine, repeats=1 if quick else 3)


def register(app: typer.Typer) -> None:
    app.command()(bench)
