"""`gerotor study [NAME]`: a published experiment, claim by claim."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from gerotor.cli.output import plain_table, writable, writable_file, write_json, writing
from gerotor.cli.progress import watching
from gerotor.simulation.report import TableRows, show, write_report
from gerotor.studies import all_studies, find_study
from gerotor.studies.base import Result, Study

COLOURS = {"holds": "green", "differs": "yellow", "hardware": "dim"}


def study(
    name: Optional[str] = typer.Argument(None, help="which study; none lists them"),  # noqa: UP045
    json_file: Optional[Path] = typer.Option(None, "--json", help="write the machine-readable result here"),  # noqa: UP045
    report: Path = typer.Option(Path("out"), "--report", help="folder for the report and the recordings"),
) -> None:
    """Run a published experiment; exit code 1 if a claim marked reproducible fails."""
    console = Console()
    if name is None:
        table = plain_table("study", "what it shows", "source")
        for item in all_studies().values():
            table.add_row(item.name, item.title, item.source)
        console.print(table, highlight=False, markup=False)
        return
    chosen = find_study(name)
    writable(report)
    writable_file(json_file)
    with watching(console) as watch:
        result = chosen.run(watch)
    with writing(report):
        page = save(chosen, result, report)
    write_json(json_file, result.as_json(chosen.name))
    console.print(claims_table(result))
    for claim in result.claims:
        if claim.verdict == "differs":
            console.print(Text(f"{claim.id} differs: {claim.why or claim.statement}", style="yellow"))
    factor = f"{result.simulated:g} s simulated in {result.wall:.3g} s: {result.real_time_factor:,.0f} times real time"
    console.print(f"{result.machine}, {result.integrator} at {result.step * 1e3:g} ms: {factor}", highlight=False)
    console.print(f"report: {page}", highlight=False, soft_wrap=True)
    if any(claim.failed for claim in result.claims):
        raise typer.Exit(1)


def claims_table(result: Result) -> Table:
    """Claim / published / ours / verdict; the reasons behind differences stand in the report."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, expand=True)
    table.add_column("claim", no_wrap=True)
    table.add_column("statement", ratio=3)
    table.add_column("published", ratio=1, min_width=10, overflow="fold")
    table.add_column("ours", ratio=1, min_width=10, overflow="fold")
    table.add_column("unit", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for c in result.claims:
        cells = (Text(x) for x in (c.id, c.statement, show(c.published), show(c.ours), c.unit))
        table.add_row(*cells, Text(c.verdict, style=COLOURS[c.verdict]))
    return table


def save(chosen: Study, result: Result, folder: Path) -> Path:
    """The report and the recordings of a study."""
    claims = TableRows(
        "Claims", ("claim", "statement", "published", "ours", "unit", "verdict", "why"),
        [(c.id, c.statement, c.published, c.ours, c.unit, c.verdict, c.why) for c in result.claims],
    )
    for name, recording in result.recordings.items():
        recording.save(folder / f"{chosen.name}-{name}.parquet")
    subtitle = (
        f"{chosen.source}; {result.machine}, {result.integrator} at {result.step * 1e3:g} ms, "
        f"{result.real_time_factor:,.0f} times real time"
    )
    return write_report(folder / f"{chosen.name}.html", chosen.title, subtitle, [claims, *result.tables], result.figures)


def register(app: typer.Typer) -> None:
    app.command()(study)
