"""Soak: every machine live at ten times real time under random levers; memory, file handles, recordings.

python tools/soak.py [--simulated 600] [MACHINE ...]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from gerotor.errors import GerotorError
from gerotor.machines import reference_machines
from gerotor.machines.load import reference_rigs
from gerotor.realtime.session import Session
from gerotor.realtime.stages import stage
from gerotor.simulation.recording import Recording


def resources() -> tuple[float, int]:
    """Resident memory in MB and open file handles of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6, len(os.listdir("/proc/self/fd"))


def soak(machine: str, simulated: float, folder: Path) -> str:
    """One machine; a line of results. Memory and handles at 20, 50, 80 and 100 % of the time."""
    chosen = stage(machine)
    name = chosen.name
    session = Session(machine, chosen, folder=folder)
    session.run.scale = 10.0
    rng = np.random.default_rng(1)
    seen: list[tuple[float, int]] = []
    session.start()
    while session.run.time < simulated and not session.reason:
        time.sleep(0.1)
        lever = session.stage.levers[int(rng.integers(len(session.stage.levers)))]
        session.levers({lever.input: float(rng.choice([lever.lower, lever.neutral, lever.upper]))})
        if len(seen) < 3 and session.run.time > (0.2, 0.5, 0.8)[len(seen)] * simulated:
            seen.append(resources())
    reason = session.reason
    seen.append(resources())
    ledger = session.close()
    back = Recording.load(session.recordings[-1])
    good = bool(np.all(np.isfinite(back.values))) and bool(back.facts["complete"])
    return (f"{machine} {name}: {back.time[-1]:.0f} s, {len(back)} rows {'finite and complete' if good else 'BAD'}, memory "
            f"{' -> '.join(f'{m:.1f}' for m, _ in seen)} MB, handles {seen[0][1]} -> {seen[-1][1]}, "
            f"missed {ledger.missed} of {ledger.ticks}" + (f"; STOPPED: {reason}" if reason else ""))


def main() -> None:
    """All machines, or those named."""
    parser = argparse.ArgumentParser()
    parser.add_argument("machines", nargs="*")
    parser.add_argument("--simulated", type=float, default=600.0)
    a = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for machine in a.machines or [*reference_machines(), *reference_rigs()]:
            try:
                sys.stdout.write(soak(machine, a.simulated, Path(folder)) + "\n")
            except (GerotorError, RuntimeError) as error:
                sys.stdout.write(f"{machine}: {str(error).splitlines()[0]}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
