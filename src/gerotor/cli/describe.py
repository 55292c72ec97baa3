"""`gerotor describe MACHINE`: every number with its unit and source."""

from __future__ import annotations

import typer
from rich.console import Console
from rich.table import Table

from gerotor.machines import load_machine
from gerotor.machines.describe import rows


def describe(machine: str = typer.Argument(help="a reference machine or a .yaml file")) -> None:
    """Print a machine's whole parameter table with sources, its inputs, states and outputs."""
    made = load_machine(machine)
    ode = made.ode()
    console = Console()
    console.print(f"[bold]{made.name}[/]: {made.file.title}\n", highlight=False)
    table = Table("parameter", "value", "source", box=None, pad_edge=False)
    for path, value, source in rows(made):
        table.add_row(path, value, source)
    console.print(table, highlight=False, markup=False)
    console.print(f"\n{len(ode.states)} states; inputs: {_listed(ode.inputs)}", highlight=False)
    console.print(f"tunable: {_listed(ode.parameters) or 'none'}", highlight=False)


def _listed(layout: object) -> str:
    return ", ".join(f"{e.name} ({e.unit})" for e in layout)  # type: ignore[attr-defined]


def register(app: typer.Typer) -> None:
    app.command()(describe)
