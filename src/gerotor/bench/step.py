"""Microseconds a step: every integrator on the whole arm in closed loop, beside MuJoCo and Pinocchio on the bare one."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from time import perf_counter

from gerotor.bench.base import Result, Say
from gerotor.bench.peers import Timer, mujoco_timers, pinocchio_timer
from gerotor.codegen.kernel import DONE
from gerotor.integrators import INTEGRATORS
from gerotor.simulation.simulation import Simulation
from gerotor.studies.kaeri import Scene, circle_scene

FAST, SLOW = 2e-4, 5e-5  # s, step of implicit and of explicit methods: both stable on this arm
EXPLICIT = ("rk4", "ab3")


def step_bench(
    say: Say = print, *, steps: int = 2000, repeats: int = 15, methods: tuple[str, ...] = tuple(INTEGRATORS)
) -> Result:
    """Interleaved: every repeat times every system once, so that all see the same machine."""
    scene, result, timers = circle_scene(), Result(), {}
    for name in methods:
        say(f"building {name}")
        timers[f"gerotor {name}"] = _timer(scene, name)
    timers |= _peers(scene, result)
    say("measuring")
    for timer in timers.values():
        timer(steps)
    times = _interleaved(timers, steps, repeats)
    for name, values in times.items():
        result.add(name, "min", min(values) * 1e6, "us/step")
        result.add(name, "median", statistics.median(values) * 1e6, "us/step")
    result.notes += [
        f"{repeats} interleaved repeats of {steps} steps, one core",
        "gerotor: whole arm (valves, oil, friction, six bodies) with its 100 Hz controllers and set-points, one C call; steps of "
        f"{FAST * 1e3:g} ms, explicit methods {SLOW * 1e3:g} ms",
        "mujoco: bare rigid arm of the same bodies, mj_step(nstep) loops in C",
        "pinocchio: forward dynamics (ABA) of the same bodies only, abaInParallel on one thread loops in C++",
    ]
    return result


def _timer(scene: Scene, method: str) -> Timer:
    simulation: Simulation = scene.simulation(method)
    step = SLOW if method in EXPLICIT else FAST
    world = simulation.world(step, start=scene.start)

    def run(n: int) -> float:
        nonlocal world
        before, began = int(world.c.k), perf_counter()
        status = simulation.kernel.run(world, n)
        wall = perf_counter() - began
        done = max(1, int(world.c.k - before))
        if status != DONE:
            world = simulation.world(step, start=scene.start)
        return wall * n / done

    return run


def _peers(scene: Scene, result: Result) -> dict[str, Timer]:
    tree = scene.machine.tree
    q = [scene.start[f"arm.q.{name}"] for name in tree.names]
    out: dict[str, Timer] = {}
    try:
        out |= {f"mujoco {k}": t for k, t in mujoco_timers(tree, q, 1e-3).items()}
    except ImportError:
        result.notes.append("mujoco is not installed: pip install gerotor[bench]")
    try:
        out["pinocchio ABA"] = pinocchio_timer(tree, q)
    except ImportError:
        result.notes.append("pinocchio is not installed: pip install gerotor[bench]")
    return out


def _interleaved(timers: Mapping[str, Timer], steps: int, repeats: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in timers}
    for _ in range(repeats):
        for name, timer in timers.items():
            times[name].append(timer(steps) / steps)
    return times
