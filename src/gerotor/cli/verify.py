"""`gerotor verify [MACHINE ...]`: random operator runs at many steps, right, refused or wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

import typer
from rich.console import Console

from gerotor.bench import verify as bench
from gerotor.cli.output import plain_table, writable_file, write_json
from gerotor.errors import InputError, unknown
from gerotor.integrators import DEFAULT, INTEGRATORS
from gerotor.machines.load import reference_machines
from gerotor.units import quantity

USUAL = ["0.05 ms", "0.1 ms", "0.2 ms", "0.25 ms", "0.5 ms", "1 ms", "2 ms", "5 ms", "10 ms"]


def verify(  # noqa: PLR0917
    machines: Optional[list[str]] = typer.Argument(None, help="names or files; none: all that are shipped"),  # noqa: UP045
    scenario: list[str] = typer.Option(list(bench.KINDS), "--scenario", help="live scenarios to drive at random"),
    method: list[str] = typer.Option([DEFAULT], "--method", help="integrators"),
    step: list[str] = typer.Option(USUAL, "--step", help="steps, with unit"),
    runs: int = typer.Option(20, "--runs", min=1, max=100_000, help="random runs of each"),
    duration: float = typer.Option(6.0, "--duration", min=1.0, max=3600.0, help="s, of each run"),
    seed: int = typer.Option(0, "--seed", min=0, help="of the first run; a failure prints its own"),
    json_file: Optional[Path] = typer.Option(None, "--json", help="write rows and seeds here"),  # noqa: UP045
) -> None:
    """Drive machines at random and compare with a converged reference; exit code 1 where a run is silently wrong."""
    console = Console()
    for name in method:
        if name not in INTEGRATORS:
            raise InputError(unknown("integrator", name, list(INTEGRATORS)))
    writable_file(json_file)
    steps = [quantity(text, "s", "--step") for text in step]
    with console.status("") as status:
        found = bench.verify(machines or list(reference_machines()), status.update, kinds=scenario, methods=method, steps=steps,
                             runs=runs, duration=duration, seed=seed)
    groups = dict.fromkeys((r.machine, r.scenario, r.method) for r in found.rows)
    for group in groups:
        table = plain_table("step", "runs", "right", "refused", "wrong", "unsettled", "repeated", "bar apart", "rad or m apart")
        for r in [r for r in found.rows if (r.machine, r.scenario, r.method) == group]:
            counts = [str(n) for n in (r.runs, r.right, r.refused, r.wrong, r.unsettled)]
            table.add_row(f"{r.step * 1e3:g} ms", *counts, f"{r.repeated:.2%}", f"{r.pressure / 1e5:.2g}", f"{r.position:.1e}")
        console.print(", ".join(group), highlight=False, markup=False)
        console.print(table, highlight=False)
    for s in [s for s in found.seeds if s["verdict"] != "unsettled"][:20]:
        console.print(
            f"{s['verdict']}: gerotor verify {s['machine']} --scenario {s['scenario']} --method {s['method']} "
            f"--step '{s['step'] * 1e3:g} ms' --runs 1 --seed {s['seed']}", highlight=False, soft_wrap=True,
        )
    if json_file is not None:
        write_json(json_file, found.as_json())
    if found.wrong:
        raise typer.Exit(1)


def register(app: typer.Typer) -> None:
    app.command()(verify)
