"""From nothing to the first step of the reference arm: import, build, compile, step; cold, then from the cache."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from time import perf_counter

from gerotor.bench.base import Result, Say
from gerotor.errors import BuildError

CHILD = """
import json, time
marks = [time.perf_counter()]
def mark(): marks.append(time.perf_counter())
from gerotor.machines.machine import load_machine
from gerotor.simulation.simulation import Simulation
mark()
assembled = load_machine("{machine}").assemble()
mark()
ode = assembled.ode()
mark()
simulation = Simulation(ode)
mark()
world = simulation.world(1e-3, start=assembled.rest())
simulation.kernel.run(world, 1)
mark()
print(json.dumps([b - a for a, b in zip(marks, marks[1:])]))
"""
STAGES = ("import", "read the machine", "expressions", "build and compile", "first step")


def cold_start(say: Say = print, *, machine: str = "kaeri-arm", repeats: int = 3) -> Result:
    """Each time a new process with empty cache folders, then another with the same folders."""
    result = Result()
    runs: dict[str, list[dict[str, float]]] = {"cold": [], "cached": []}
    for k in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            for case, times in runs.items():
                say(f"{case} {k + 1}")
                times.append(_child(machine, folder))
    for case, times in runs.items():
        best = min(times, key=lambda t: t["total"])
        for stage, seconds in best.items():
            result.add(case, stage, seconds, "s")
    result.notes.append(
        f"{machine}, default integrator; fastest of {repeats} new processes; total includes the interpreter's own start and end; "
        "cold: empty caches of kernels and of units"
    )
    return result


def _child(machine: str, folder: str) -> dict[str, float]:
    environment = {**os.environ, "GEROTOR_CACHE": f"{folder}/kernels", "XDG_CACHE_HOME": folder}
    began = perf_counter()
    child = subprocess.run(
        [sys.executable, "-c", CHILD.format(machine=machine)], env=environment, capture_output=True, text=True, check=False
    )
    total = perf_counter() - began
    if child.returncode:
        raise BuildError(f"cold start failed: {(child.stderr.strip().splitlines() or ['no message'])[-1]}")
    return {**dict(zip(STAGES, json.loads(child.stdout), strict=True)), "total": total}
