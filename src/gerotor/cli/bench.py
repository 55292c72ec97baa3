"""`gerotor bench [NAME]`: speed and accuracy, side by side with peers in one run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Optional

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from gerotor.bench.base import Result
from gerotor.cli.output import plain_table, writable, writable_file, write_json, writing
from gerotor.errors import InputError, unknown
from gerotor.simulation.report import TableRows, show, write_report

BENCHES = {
    "step": "microseconds a step of each integrator, beside MuJoCo and Pinocchio",
    "work-precision": "error against wall time over a ladder of steps, and a recommended step",
    "step-range": "the default method at every step from 0.05 to 10 ms, and its speed over HHT-alpha",
    "realtime": "deadline ledgers at 1 and 5 kHz beside a browser that watches and a bare sleeping loop",
    "cold-start": "import, build, compile, first step; cold and cached",
}
ARM = "kaeri-arm"


def bench(
    name: Optional[str] = typer.Argument(None, help="which bench; none lists them"),  # noqa: UP045
    machine: Optional[str] = typer.Argument(  # noqa: UP045
        None, help="a name or a file, for all but step; of itself kaeri-arm, for step-range also kaeri-arm-n"
    ),
    json_file: Optional[Path] = typer.Option(None, "--json", help="write the machine-readable result here"),  # noqa: UP045
    report: Path = typer.Option(Path("out"), "--report", help="folder for the figure"),
    quick: bool = typer.Option(False, "--quick", help="few steps and repeats: a trial, not a measurement"),
) -> None:
    """Measure on this machine; nothing else should run beside it."""
    console = Console()
    if name is None:
        table = plain_table("bench", "what it measures")
        for key, text in BENCHES.items():
            table.add_row(key, text)
        console.print(table, highlight=False)
        return
    if name not in BENCHES:
        raise InputError(unknown("bench", name, list(BENCHES)))
    if machine == "":
        raise InputError(f"machine = '': give a name or a file, or leave it out for {ARM}")
    if name == "step" and machine is not None:
        raise InputError(f"machine = {machine!r}: bench step is of the KAERI arm and its peers only; leave the machine out")
    writable_file(json_file)
    if json_file is None or name == "work-precision":
        writable(report)
    with console.status("") as status:
        result = _run(name, machine, quick, status.update)
    for shown in result.tables or [_rows(result)]:
        console.print(Text(shown.title, style="bold"))
        table = Table(*shown.heads, box=None, pad_edge=False, collapse_padding=True)
        for row in shown.rows:
            table.add_row(*row)
        console.print(table, highlight=False)
    for note in result.notes:
        console.print(note, highlight=False, soft_wrap=True)
    write_json(json_file, result.as_json(name))
    if result.figures:
        of = Path(machine or ARM).stem
        page = report / f"{name}-{of}.html"
        with writing(page):
            write_report(page, f"{name}: {of}", "; ".join(result.notes), result.tables or [_rows(result)], result.figures)
        console.print(f"report: {page}", highlight=False, soft_wrap=True)


def _rows(result: Result) -> TableRows:
    heads = ("system", "case", "value", "unit")
    return TableRows("Measured", heads, [(r.system, r.case, show(r.value), r.unit) for r in result.rows])


def _run(name: str, machine: str | None, quick: bool, say: Callable[[str], None]) -> Result:
    from gerotor.bench.cold_start import cold_start
    from gerotor.bench.step import step_bench
    from gerotor.bench.step_range import SETS, step_range
    from gerotor.bench.work_precision import work_precision
    from gerotor.machines.load import find_machine, read_document

    if name == "step":
        return step_bench(say, steps=200, repeats=2, methods=("hht-alpha", "extrapolated")) if quick else step_bench(say)
    if name == "work-precision":
        if quick:
            return work_precision(machine or ARM, say, duration=2.5, ladder=(2e-4, 1e-3, 1e-2), repeats=1,
                                  methods=("hht-alpha", "extrapolated"), reference=5e-5)
        return work_precision(machine or ARM, say)
    if name == "step-range":
        machines = SETS if machine is None else (machine,)
        if quick:
            return step_range(machines, say, duration=2.5, part=2.5, parts=(1, 2, 5, 10), ladder=(1e-3, 1e-2), repeats=1,
                              reference=5e-5)
        return step_range(machines, say)
    if name == "realtime":
        from gerotor.bench.realtime import CASES, realtime

        return realtime(say, machine=machine or ARM, cases=((1000.0, 2.0), (5000.0, 1.0)) if quick else CASES)
    read_document(find_machine(machine or ARM))
    return cold_start(say, machine=machine or ARM, repeats=1 if quick else 3)


def register(app: typer.Typer) -> None:
    app.command()(bench)
