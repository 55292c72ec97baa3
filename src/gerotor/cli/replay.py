"""`gerotor replay RECORDING`: a finished run on the page, with a time slider."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Optional

import typer

from gerotor.cli.waiting import wait
from gerotor.errors import InputError
from gerotor.simulation.recording import Recording


def replay(  # noqa: PLR0917
    recording: Path = typer.Argument(help="a recording of a live run (.arrows) or of a study or scenario (.parquet)"),
    machine: str = typer.Option("", help="where the recording does not name its machine"),
    scenario: str = typer.Option("", "--scenario", "-s", help="where the recording does not name its scenario"),
    host: str = typer.Option("127.0.0.1", help="address to serve on"),
    port: int = typer.Option(8080, help="port of the page"),
    seconds: Optional[float] = typer.Option(None, help="stop after so many wall seconds"),  # noqa: UP045
) -> None:
    """Show a finished run in the browser."""
    from gerotor.realtime.stages import stage
    from gerotor.viewer.replay import ReplayPage

    loaded = Recording.load(recording)
    name = machine or str(loaded.facts.get("machine", ""))
    if not name:
        raise InputError(f"{recording} does not say which machine it is of: give --machine")
    page = ReplayPage(loaded, stage(name, scenario or str(loaded.facts.get("stage", ""))), host=host, port=port).start()
    sys.stdout.write(f"replay: http://{host}:{page.port}  (Ctrl-C ends)\n")
    sys.stdout.flush()
    wait(seconds)
    page.close()


def register(app: typer.Typer) -> None:
    app.command()(replay)
