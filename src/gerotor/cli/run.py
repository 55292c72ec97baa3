"""`gerotor run SCENARIO.yaml`: any machine, controller, task, integrator."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer
from rich.console import Console

from gerotor.cli.output import writable, writing
from gerotor.cli.progress import watching
from gerotor.errors import GerotorError, StepError
from gerotor.simulation.recording import Recording
from gerotor.simulation.report import TableRows, recording_figures, write_report
from gerotor.simulation.scenario import prepare, read_scenario


def run(
    scenario: Path = typer.Argument(help="scenario file"),
    out: Path = typer.Option(Path("out"), "--out", help="folder for the recording and the report"),
    csv: bool = typer.Option(False, "--csv", help="write CSV beside Parquet"),
) -> None:
    """Run a scenario; writes a recording and an HTML report. Ctrl-C ends the run and keeps what was recorded."""
    console = Console()
    chosen = read_scenario(scenario)
    writable(out)
    with console.status("building") as status, _of(scenario):
        prepared = prepare(chosen, scenario.parent, lambda part: status.update(f"building: inverse kinematics {part:.0%}"))
    with watching(console) as watch, _of(scenario):
        try:
            recording, stopped = prepared.run(watch.stage(scenario.stem, chosen.duration)), None
        except StepError as error:
            recording, stopped = error.recording, error
    with writing(out):
        paths = _save(recording, out / scenario.stem, csv)
    facts = recording.facts
    console.print(
        f"{facts['machine']}, {facts['integrator']} at {facts['step'] * 1e3:g} ms: {facts['simulated']:g} s in "
        f"{facts['wall']:.3g} s, {facts['real_time_factor']:,.0f} times real time"
        + (" (interrupted)" if facts["stopped"] else ""), highlight=False,
    )
    for warning in facts["warnings"]:
        console.print(f"warning: {warning}", highlight=False, soft_wrap=True, markup=False)
    for path in paths:
        console.print(str(path), highlight=False, soft_wrap=True)
    if stopped is not None:
        raise stopped


@contextmanager
def _of(scenario: Path) -> Iterator[None]:
    """What is wrong with a scenario is said with its file in front."""
    try:
        yield
    except GerotorError as error:
        raise type(error)(f"{scenario}: {error}") from None


def _save(recording: Recording, stem: Path, csv: bool) -> list[Path]:
    paths = [recording.save(stem.with_suffix(".parquet"))]
    if csv:
        paths.append(recording.save(stem.with_suffix(".csv")))
    units = {"step": "s", "simulated": "s", "wall": "s"}
    said = {k: v for k, v in recording.facts.items() if k not in ("numerics", "warnings")}
    said |= {f"warning {k + 1}": text for k, text in enumerate(recording.facts["warnings"])} | recording.facts["numerics"]
    rows = [(k.replace("_", " "), v, units.get(k, "")) for k, v in said.items() if v not in ("", [], None)]
    facts = TableRows("Run", ("what", "value", "unit"), rows)
    paths.append(write_report(stem.with_suffix(".html"), stem.name, "recorded run", [facts], recording_figures(recording)))
    return paths


def register(app: typer.Typer) -> None:
    app.command()(run)
