"""The runs behind the figures and claims."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gerotor.simulation.recording import Recording
from gerotor.simulation.simulation import Simulation
from gerotor.studies.base import Watch
from gerotor.studies.forestry.run_times import RunTimes, measure
from gerotor.studies.forestry.scenes import JOINTS, PERIOD, POSE, Array, Scene, crane, loading_cycle, rms, stick_sine

STEP = 5e-4
RESISTANCES = (1e16, 1e17, 1e18, 1e19, 1e20)
FOLLOWERS = (0.003, 0.01, 0.03)
DRIFT_TIME = 3.0


@dataclass(frozen=True)
class Follower:
    """Full model with one time constant of the follower."""

    time: float
    error: float  # RMS stick error in rad
    end: Array  # joint angles after 40 s


@dataclass(frozen=True)
class Everything:
    """All that the study ran."""

    both: Recording
    relaxed: Recording
    cycle: Recording
    ringing: Recording  # the same cycle with the gains of the empty crane
    drift: dict[float, Array]  # resistance -> joint drift in 3 s without the closed-valve model
    held: float  # largest joint drift in 10 min with it
    followers: list[Follower]
    jump: float  # largest jump of any of the 18 states at a switch, over its size
    switches: int
    times: RunTimes


def conduct(watch: Watch) -> Everything:
    pair = {lines: crane(lines) for lines in ("full", "reduced")}
    both = stick_sine(pair).run(STEP, record_period=PERIOD / 2, progress=watch.stage("full and reduced side by side", 40))
    relaxed = stick_sine({lines: crane(lines, resistance=1e16) for lines in pair}).run(
        STEP, progress=watch.stage("the same, closed valve relaxed to 1e16", 40))
    cycle, ringing = (
        loading_cycle({lines: crane(lines) for lines in pair}, gains).run(
            STEP, record_period=PERIOD * 2, progress=watch.stage(f"loading cycle, gains {gains}", 40))
        for gains in ("loaded", "joints")
    )
    alone = stick_sine({"": crane("full")})
    jump, switches = largest_jump(alone)
    return Everything(
        both=both, relaxed=relaxed, cycle=cycle, ringing=ringing, drift=drift(), held=held(watch),
        followers=[follower(t) for t in FOLLOWERS], jump=jump, switches=switches, times=measure(watch),
    )


def drift() -> dict[float, Array]:
    """Joint angles gained in 3 s with all levers at rest and the open-valve equations throughout."""
    tunable = [f"{n}.actuator.valve.closed_resistance" for n in JOINTS]
    made = crane("full", "max-resistance", tunable=tunable)
    simulation, start = Simulation(made.ode(), method="sdirk2"), made.rest(POSE)
    out = {}
    for resistance in RESISTANCES:
        run = simulation.run(DRIFT_TIME, 1e-3, start=start, parameters=dict.fromkeys(tunable, resistance))
        out[resistance] = np.array([run[f"arm.q.{n}"][-1] - run[f"arm.q.{n}"][0] for n in JOINTS])
    return out


def held(watch: Watch) -> float:
    """The largest angle any joint moves in 10 min with all levers at rest and the closed-valve model."""
    made = crane("full")
    names = [f"arm.q.{n}" for n in JOINTS]
    run = Simulation(made.ode()).run(
        600, PERIOD, start=made.rest(POSE), record=names, record_period=1.0, progress=watch.stage("valves shut for 10 min", 600))
    return float(max(np.ptp(run[n]) for n in names))


def follower(time: float) -> Follower:
    run = stick_sine({"": crane("full", follower=time)}).run(STEP)
    return Follower(time, rms(run["ref.q.stick"] - run["arm.q.stick"]), np.array([run[f"arm.q.{n}"][-1] for n in JOINTS]))


def largest_jump(scene: Scene, duration: float = 40.0) -> tuple[float, int]:
    """At every switch of a valve: where vanishing steps of the new equations start, against the state before."""
    simulation, names = scene.simulation(), scene.ode.states.names
    size = np.array([{"p": 1e7, "Q": 1e-3}.get(n.rsplit(".", 1)[-1], 0.1) for n in names])
    held = simulation.program.held
    levers = held.indices([f"{n}.u" for n in JOINTS])
    single = Simulation(scene.ode, compiled=False)
    world, worst, count = simulation.world(STEP, start=scene.start), 0.0, 0
    every = round(PERIOD / STEP)
    for _ in range(round(duration / PERIOD)):
        before, open_before = world.x.copy(), np.abs(world.w[levers]) > 0.5
        simulation.kernel.run(world, 1)
        if np.any((np.abs(world.w[levers]) > 0.5) != open_before):
            count += 1
            worst = max(worst, _jump(single, before, dict(zip(held.names, world.w.tolist(), strict=True)), size))
        simulation.kernel.run(world, every - 1)
    return worst, count


def _jump(single: Simulation, before: Array, held: dict[str, float], size: Array) -> float:
    start = dict(zip(single.ode.states.names, before.tolist(), strict=True))
    inputs = {n: v for n, v in held.items() if n in single.ode.inputs}
    after = []
    for step in (1e-12, 2e-12):
        world = single.world(step, start=start, inputs=inputs)
        single.kernel.run(world, 1)
        after.append(world.x.copy())
    return float(np.max(np.abs(2 * after[0] - after[1] - before) / size))
