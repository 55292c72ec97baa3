"""The rig in two processes: the computer leads, platform, rope and sensor follow, over UDP at 1 kHz in real time.

  python -m gerotor.studies.docking.split --set table-2 --seconds 10
"""

from __future__ import annotations

import argparse
import json
import socket
import subprocess
import sys
import tempfile
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from gerotor.machines.docking_rig.computer import DITHER, PERIOD
from gerotor.machines.docking_rig.physical import physical_half
from gerotor.machines.docking_rig.scenario import Scenario
from gerotor.machines.docking_rig.shell import LEGS, READINGS, computer_shell
from gerotor.realtime.exchange import Exchange, Outcome
from gerotor.simulation.recording import Recording
from gerotor.simulation.simulation import Simulation
from gerotor.studies.docking.runs import RECORD, STEP, Bench, Loop, deviation

COMMANDS = tuple(f"r.{n}" for n in LEGS)
HOST = "127.0.0.1"
LIMIT = 200  # silent ticks until a safe stop
PATIENCE = 120.0  # s for the other process to start; it may have to compile first


def leader(
    loop: Loop, scenario: Scenario, duration: float, ports: tuple[int, int], *, limit: int = LIMIT, fifo: int = 0,
) -> Exchange:
    """The computer's side, bound to ports[0]."""
    rig, computer = loop.bench.rig, replace(loop.computer, remote=True)
    simulation = Simulation(computer_shell(rig), [computer.sampled()], method="rk4")
    own = {k: v for k, v in scenario.parameters(rig).items() if k in simulation.ode.parameters}
    world = simulation.world(PERIOD, parameters=own, inputs=scenario.settings(rig))
    inner = scenario.computed_start(rig, computer, scenario.start(rig, loop.simulation.ode))
    world.d[:] = [inner[n.removeprefix("computer.")] for n in simulation.program.discrete.names]
    return Exchange(
        simulation, world, leads=True, local=(HOST, ports[0]), peer=(HOST, ports[1]), takes=[n for n, _ in READINGS],
        gives=COMMANDS, record=RECORD, duration=duration, period=PERIOD, limit=limit, fifo=fifo,
        fresh="fresh", patience=PATIENCE,
    )


def follower(
    bench: Bench, scenario: Scenario, duration: float, ports: tuple[int, int], *, limit: int = LIMIT, fifo: int = 0,
) -> Exchange:
    """The physical side, bound to ports[1]. In a safe stop every leg is told to stay where it is."""
    rig = bench.rig
    simulation = Simulation(physical_half(rig), method="rk4")
    world = simulation.world(STEP, start=scenario.start(rig, simulation.ode), parameters=scenario.parameters(rig))
    legs = simulation.ode.function("legs", *[simulation.ode.signal(f"platform.l.{n}") for n in LEGS])
    held = simulation.program.held
    for name, value in zip(COMMANDS, legs(world.x, np.zeros(len(simulation.ode.inputs)), world.p, 0.0), strict=True):
        world.w[held.index(name)] = float(value)
    return Exchange(
        simulation, world, leads=False, local=(HOST, ports[1]), peer=(HOST, ports[0]), takes=COMMANDS,
        gives=[n for n, _ in READINGS], record=[f"platform.q.{n}" for n in ("x", "y", "z", "roll", "pitch", "yaw")],
        duration=duration, period=PERIOD, limit=limit, fifo=fifo, patience=PATIENCE,
        freeze={f"r.{n}": f"platform.l.{n}" for n in LEGS},
    )


def free_ports() -> tuple[int, int]:
    """Two ports nobody uses at the moment."""
    made = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
    for s in made:
        s.bind((HOST, 0))
    ports = tuple(s.getsockname()[1] for s in made)
    for s in made:
        s.close()
    return ports[0], ports[1]


def run_split(
    loop: Loop, scenario: Scenario, duration: float, *, folder: Path | None = None, fifo: int = 0,
) -> tuple[Outcome, dict[str, object]]:
    """Both sides; the follower in a process of its own. Its recording stays in `folder` as follower.parquet."""
    ports = free_ports()
    with tempfile.TemporaryDirectory() as scratch:
        place = folder or Path(scratch)
        side = leader(loop, scenario, duration, ports, fifo=fifo)
        command = [sys.executable, "-m", "gerotor.studies.docking.split", "--follow", str(place), "--seconds", str(duration),
                   "--ports", f"{ports[0]},{ports[1]}", "--fifo", str(fifo), "--scenario", json.dumps(asdict(scenario))]
        with subprocess.Popen(command) as other:
            outcome = side.run()
            other.wait(timeout=30)
        facts = Recording.load(place / "follower.parquet").facts
    return outcome, facts


def across(bench: Bench, fifo: int = 0, duration: float = 4.0) -> list[str]:
    """Every scenario of the study over the socket: what the compensated and the bare loop do there, a line each."""
    lines = []
    for scenario in (*(Scenario(name) for name in bench.rig.sets), Scenario("table-2", variation=1.0)):
        ideal = bench.ideal(scenario, duration)
        outcome, _ = run_split(bench.aligned, replace(scenario, dither=DITHER), duration, fifo=fifo)
        bare, _ = run_split(bench.aligned, replace(scenario, compensate=False), duration, fifo=fifo)
        axes = bench.rig.set(scenario.set).axes
        good, bad = (deviation(o.recording, ideal) for o in (outcome, bare))
        title = f"{scenario.set}{', varying' if scenario.variation else ''}"
        lines.append(
            f"{title}: compensated {100 * max(good[a] for a in axes) / 0.01:.2f} %, "
            f"uncompensated {100 * max(bad[a] for a in axes) / 0.01:.0f} % of 10 mm (RMS); held {outcome.traffic.held} of "
            f"{outcome.ticks} ticks, lost {outcome.traffic.lost}, missed deadlines {outcome.ledger.missed}"
        )
    return lines


def main() -> None:
    """Command line of this file; the follower's side calls it too."""
    parser = argparse.ArgumentParser(description="The docking rig split in two processes over UDP")
    parser.add_argument("--set", default="table-2")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--all", action="store_true", help="every scenario of the study across the socket, compensated or not")
    parser.add_argument("--fifo", type=int, default=0, help="real-time priority of both sides")
    parser.add_argument("--follow", type=Path, help="internal: be the physical side, record here")
    parser.add_argument("--ports", default="0,0")
    parser.add_argument("--scenario", default="{}")
    options = parser.parse_args()
    if options.follow:
        first, second = (int(p) for p in options.ports.split(","))
        scenario = Scenario(**json.loads(options.scenario))
        outcome = follower(Bench(), scenario, options.seconds, (first, second), fifo=options.fifo).run()
        outcome.recording.save(options.follow / "follower.parquet")
        return
    bench = Bench()
    if options.all:
        sys.stdout.write("\n".join(across(bench, options.fifo)) + "\n")
        return
    scenario = Scenario(options.set)
    outcome, other = run_split(bench.matched, scenario, options.seconds, fifo=options.fifo)
    error = deviation(outcome.recording, bench.ideal(scenario, options.seconds))
    lines = [f"leader: {outcome.state}, {outcome.ticks} ticks", str(outcome.ledger), str(outcome.traffic),
             f"follower: {other['ended']}, {other['traffic']}",
             "RMS against the ideal [mm]: " + ", ".join(f"{a} {1e3 * error[a]:.4f}" for a in "xyz")]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
