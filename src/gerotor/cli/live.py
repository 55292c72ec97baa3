"""`gerotor live MACHINE`: real time, in three dimensions in the browser, with the operator's controls."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Optional

import typer

from gerotor.cli.output import writable
from gerotor.cli.waiting import wait
from gerotor.errors import GerotorError
from gerotor.machines import reference_machines
from gerotor.machines.load import reference_rigs
from gerotor.realtime.shared import POLICIES

LOOPBACK = "127.0.0.1"


def live(  # noqa: PLR0917
    machine: str = typer.Argument("kaeri-arm", help="a reference machine, a .yaml or a .urdf file"),
    scenario: str = typer.Option("", "--scenario", "-s", help="operate, cut, valves ...; the machine's first if not given"),
    rate: float = typer.Option(1000.0, help="ticks a second of the loop, 100 to 5000"),
    step: Optional[float] = typer.Option(None, help="integration step in ms"),  # noqa: UP045
    integrator: str = typer.Option("", help="method; the default suits every machine"),
    scale: float = typer.Option(1.0, help="time scale, 0.1 to 10"),
    policy: str = typer.Option("catch up", help=f"on a missed deadline: {', '.join(POLICIES)}"),
    host: str = typer.Option(LOOPBACK, help="address to serve on; anything but loopback lets others watch"),
    port: int = typer.Option(8080, help="port of the page"),
    token: str = typer.Option("", help="for control from other machines; made up if not given"),
    record: Path = typer.Option(Path("out"), help="folder for the recordings"),
    frames: float = typer.Option(25.0, min=0.5, max=60.0, help="pictures a second"),
    seconds: Optional[float] = typer.Option(None, help="stop after so many wall seconds"),  # noqa: UP045
    joystick: str = typer.Option("", help="a joystick on this machine, such as /dev/input/js0 (Linux)"),
    fifo: int = typer.Option(0, help="real-time priority 1 to 99 of the loop, where permitted"),
    lock: bool = typer.Option(False, help="lock memory, where permitted"),
    cpu: Optional[int] = typer.Option(None, help="pin the loop to this processor"),  # noqa: UP045
) -> None:
    """Run a machine in real time and show it in the browser. Ctrl-C ends it and prints the deadline ledger."""
    from gerotor.realtime.session import Session
    from gerotor.realtime.shared import native
    from gerotor.realtime.stages import stage
    from gerotor.viewer.control import is_local
    from gerotor.viewer.joystick import Joystick
    from gerotor.viewer.page import LivePage

    writable(record)
    native()

    def make(name: str, which: str) -> Session:
        return Session(name, stage(name, which), rate=rate, policy=policy, method=integrator, folder=record,
                       step=None if step is None else step * 1e-3, fifo=fifo, lock=lock, cpu=cpu)

    sys.stdout.write(f"building {machine} ...\n")
    session = make(machine, scenario)
    session.run.scale = scale
    page = LivePage(session, choices(machine), make, host=host, port=port, token=token, frames=frames,
                    joystick=Joystick(joystick) if joystick else None)
    session.start()
    page.start()
    shown_host = host if host not in ("0.0.0.0", "::") else LOOPBACK
    sys.stdout.write(f"live page: http://{shown_host}:{page.port}  (Ctrl-C ends)\n")
    if host == "localhost" or is_local(host):
        sys.stdout.write("only this machine can see it; --host 0.0.0.0 lets others watch\n")
    else:
        sys.stdout.write(f"token for control from other machines: {page.control.token}\n")
    sys.stdout.flush()
    wait(seconds)
    page.close()
    ledger = page.session.close()
    sys.stdout.write(f"\n{ledger}\n")
    for path in page.session.recordings:
        sys.stdout.write(f"recording: {path}, report: {report(path)}\n")


def report(path: Path) -> Path:
    """The deadline ledger and the signals of a recording, as a page beside it."""
    from gerotor.realtime.ledger import Ledger
    from gerotor.simulation.recording import Recording
    from gerotor.simulation.report import TableRows, recording_figures, write_report

    recording = Recording.load(path)
    facts = recording.facts
    ledger = TableRows("Deadline ledger", ("", ""), Ledger.from_facts(facts["ledger"]).rows())
    subtitle = f"{facts['integrator']} at {facts['step'] * 1e3:g} ms, {facts['simulated']:.1f} s simulated, {len(recording)} rows"
    title = f"{facts['machine']}: {facts['stage']}"
    return write_report(path.with_suffix(".html"), title, subtitle, [ledger], recording_figures(recording))


def choices(machine: str) -> dict[str, list[str]]:
    """Live scenarios of every reference machine and rig, and of the one asked for; broken files are left out."""
    from gerotor.realtime.stages import scenarios

    out = {}
    for name in dict.fromkeys([machine, *reference_machines(), *reference_rigs()]):
        try:
            out[name] = list(scenarios(name))
        except GerotorError:
            if name == machine:
                raise
    return out


def register(app: typer.Typer) -> None:
    app.command()(live)
