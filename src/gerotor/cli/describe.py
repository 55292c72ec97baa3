"""`gerotor describe MACHINE`: every number with its unit and source."""

from __future__ import annotations

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

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
    console.print(f"\n{len(ode.states)} states; inputs: {_listed(ode.inputs)}", highlight=False)
    console.print(f"tunable: {_listed(ode.parameters) or 'none'}", highlight=False)


def _parameters(lines: list[tuple[str, str, str]]) -> Table:
    table = Table("parameter", "value", "source", box=None, pad_edge=False)
    for path, value, source in lines:
        table.add_row(Text(path), Text(value), Text(source))
    return table


def _listed(layout: object) -> str:
    return ", ".join(f"{e.name} ({e.unit})" for e in layout)  # type: ignore[attr-defined]


def register(app: typer.Typer) -> None:
    app.command()(describe)
