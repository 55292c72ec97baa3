"""`gerotor machines`: what there is."""

from __future__ import annotations

import typer
from rich.console import Console

from gerotor.cli.output import plain_table
from gerotor.machines import reference_machines
from gerotor.machines.load import read_document, reference_rigs


def machines() -> None:
    """List the reference machines."""
    table = plain_table("machine", "what it is")
    for name, path in sorted({**reference_machines(), **reference_rigs()}.items()):
        table.add_row(name, str(read_document(path).get("title", "")))
    Console().print(table)


def register(app: typer.Typer) -> None:
    app.command()(machines)
