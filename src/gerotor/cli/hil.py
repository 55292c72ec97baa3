"""`gerotor hil FILE`: a physical contact behind a late interface; what delay it stands, then a run."""

from __future__ import annotations

import math
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from gerotor.cli.output import plain_table, writable, writing
from gerotor.realtime.hil import HilLoop
from gerotor.realtime.hil_file import load_hil
from gerotor.reduction.delay_margin import Mode
from gerotor.simulation.recording import Recording
from gerotor.simulation.report import recording_figures, write_report
from gerotor.simulation.simulation import Simulation


def hil(
    file: Path = typer.Argument(help="hardware-in-the-loop file"),
    run: bool = typer.Option(True, "--run/--no-run", help="run it after the analysis"),
    out: Path = typer.Option(Path("out"), "--out", help="folder for the recording and the report"),
) -> None:
    """Critical delay and margin by mode, then the run itself; exit code 1 if the loop is unstable and not compensated."""
    console = Console()
    setup, loop = load_hil(file)
    modes = loop.margins()
    console.print(margin_table(modes, loop.interface.delay), highlight=False)
    stable = all(m.margin(loop.interface.delay) > 0 for m in modes)
    if run:
        writable(out)
        recording = conduct(loop, setup.duration)
        with writing(out):
            recording.save(out / f"{setup.name}.parquet")
            page = write_report(out / f"{setup.name}.html", setup.name, "hardware in the loop", [], recording_figures(recording))
        for name in recording.names:
            console.print(f"{name} at the end: {recording[name][-1]:.6g} {recording.unit(name)}", highlight=False)
        console.print(f"report: {page}", highlight=False, soft_wrap=True)
    if not stable and loop.identifier is None:
        console.print("unstable at this delay: shorten it, add damping, or give a `compensation` section", highlight=False)
        raise typer.Exit(1)


def conduct(loop: HilLoop, duration: float) -> Recording:
    """One compiled run."""
    simulation = Simulation(loop.ode, [loop.sampled()])
    world = simulation.world(loop.interface.period, start=loop.start, parameters=loop.parameters)
    world.d[:] = loop.discrete_start()
    held = [n for a in loop.axes for n in (f"stiffness.{a.name}", f"damping.{a.name}")] if loop.identifier else []
    names = [*(a.position for a in loop.axes), *(a.force for a in loop.axes), *held]
    return simulation.continue_run(world, duration, record=names)


def margin_table(modes: list[Mode], delay: float) -> Table:
    """One row a mode."""
    table = plain_table("mode, Hz", "damping ratio", "critical delay, ms", "margin, ms", "verdict")
    for m in modes:
        critical = "none found" if math.isinf(m.critical) else f"{1e3 * m.critical:.3f}"
        margin = "" if math.isinf(m.critical) else f"{1e3 * m.margin(delay):+.3f}"
        verdict = "stable" if m.margin(delay) > 0 else "unstable"
        table.add_row(f"{m.frequency:.4g}", f"{m.damping_ratio:.4f}", critical, margin, verdict)
    return table


def register(app: typer.Typer) -> None:
    app.command()(hil)
