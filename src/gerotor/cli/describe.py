"""`gerotor describe MACHINE`: every number with its unit and source."""

from __future__ import annotations

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from gerotor.cli.output import plain_table
from gerotor.machines import load_machine
from gerotor.machines.describe import document_rows, rows
from gerotor.machines.load import read_yaml, reference_rigs


def describe(machine: str = typer.Argument(help="a reference machine or a .yaml file")) -> None:
    """Print a machine's whole parameter table with sources, its inputs, states and outputs."""
    console = Console()
    if machine in reference_rigs():
        content = read_yaml(reference_rigs()[machine])
        console.print(f"[bold]{machine}[/]: {content.get('title', '')}\n", highlight=False)
        console.print(_parameters(document_rows(content)), highlight=False, markup=False)
        return
    made = load_machine(machine)
    ode = made.ode()
    console.print(f"[bold]{made.name}[/]: {made.file.title}\n", highlight=False)
    console.print(_parameters(rows(made)), highlight=False, markup=False)
    for name, layout in (("inputs", ode.inputs), ("states", ode.states), ("outputs", ode.outputs), ("tunable", ode.parameters)):
        console.print(f"\n{name} ({len(layout)}): {_listed(layout) or 'none'}", highlight=False)


def _parameters(lines: list[tuple[str, str, str]]) -> Table:
    table = plain_table("parameter", "value", "source")
    for path, value, source in lines:
        table.add_row(Text(path), Text(value), Text(source))
    return table


def _listed(layout: object) -> str:
    return ", ".join(f"{e.name} ({e.unit})" for e in layout)  # type: ignore[attr-defined]


def register(app: typer.Typer) -> None:
    app.command()(describe)
