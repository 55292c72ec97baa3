"""Every run of the study: all numbers of points, orders, true curves, tunings and seeds."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from gerotor.estimation.estimate import Estimate
from gerotor.estimation.estimator import estimator
from gerotor.simulation.recording import Recording
from gerotor.simulation.simulation import Simulation
from gerotor.studies.base import Watch
from gerotor.studies.valve_curve.faults import Fault, find_faults
from gerotor.studies.valve_curve.twin import (
    ALIKE,
    ATMOSPHERE,
    CURVES,
    DURATION,
    OWN,
    OWN_QUIET,
    PORTS,
    PRESSURES,
    PRINTED,
    QUIET,
    SITES,
    STEP,
    TUNED,
    Array,
    Tuning,
    Twin,
    ordinate,
)

TUNINGS = (PRINTED, TUNED, QUIET, OWN, OWN_QUIET, ALIKE)
SEEDS, MANY = 5, 25
OIL = ("oil.bulk_modulus", "oil.bulk_modulus_slope")
APART = (0.0, 0.005, 0.02)  # how far the real edges differ


@dataclass
class Case:
    """One curve with one tuning: errors in percent by port, one a seed, and what the filter expected of port a."""

    points: int
    order: int
    curve: int
    tuning: str
    errors: dict[str, list[float]]
    predicted: float
    nis: float
    inside: dict[str, float]  # share of samples after 0.1 s with the oil's constants inside their bands
    last: Estimate


@dataclass
class Experiment:
    """What the claims and figures are made of."""

    cases: list[Case] = field(default_factory=list)
    shown: dict[str, Estimate] = field(default_factory=dict)  # six points, Spline 2, by tuning, with history
    real: Recording | None = None
    simulated: Recording | None = None
    two_cycles: dict[int, float] = field(default_factory=dict)  # curve -> mean error of port a, six points
    apart: dict[tuple[float, int], list[float]] = field(default_factory=dict)  # (apart, curve) -> errors of port a, ALIKE
    nees: list[float] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    filter_time: float = 0.0  # s a sample, 23 unknowns
    plant_time: float = 0.0
    numpy_time: float = 0.0
    inside_time: float = 0.0  # of plant and filter in one compiled loop
    wall: float = 0.0

    def case(self, points: int, curve: int, tuning: Tuning, order: int = 3) -> Case:
        wanted = (points, order, curve, tuning.name)
        return next(c for c in self.cases if (c.points, c.order, c.curve, c.tuning) == wanted)

    def mean(self, points: int, tuning: Tuning, port: str = "a", order: int = 3) -> list[float]:
        """Mean over the seeds, for both true curves."""
        return [float(np.mean(self.case(points, curve, tuning, order).errors[port])) for curve in CURVES]


def conduct(watch: Watch) -> Experiment:
    """All runs; 5 s of machine time each."""
    out, began = Experiment(), time.perf_counter()
    for order in (3, 2):
        for points in SITES:
            twin = Twin(points, order)
            total = len(CURVES) * len(TUNINGS) * SEEDS * DURATION
            progress, done = watch.stage(f"{points} points, order {order}", total), 0.0
            for curve in CURVES:
                real, truth = twin.real(curve), twin.truth(curve)
                for tuning in TUNINGS:
                    made = twin.filter(tuning)
                    runs = []
                    for seed in range(SEEDS):
                        runs.append(twin.run(made, real, tuning, seed))
                        done += DURATION
                        progress(done, time.perf_counter() - began)
                    errors = {p: [twin.error(e, truth, p) for e in runs] for p in PORTS}
                    inside = {n: float(np.mean([e.coverage(n, truth[n], after=0.1) for e in runs])) for n in OIL}
                    out.cases.append(Case(points, order, curve, tuning.name, errors, twin.predicted_error(runs[-1], "a"),
                                          runs[-1].consistency(0.1)[0], inside, runs[-1]))
    twin = Twin(6)
    out.real, out.simulated = twin.real(2), twin.simulated()
    for tuning in (PRINTED, TUNED, OWN):
        out.shown[tuning.name] = twin.run(twin.filter(tuning), out.real, tuning, 0, keep=True)
    _two_cycles(out)
    _apart(out, twin)
    _nees(out, twin)
    out.faults = find_faults(watch)
    _clock(out, twin)
    out.wall = time.perf_counter() - began
    return out


def _two_cycles(out: Experiment) -> None:
    longer = Twin(6, cycles=2)
    for curve in CURVES:
        made, real, truth = longer.filter(OWN), longer.real(curve), longer.truth(curve)
        out.two_cycles[curve] = float(np.mean([longer.error(longer.run(made, real, OWN, s), truth, "a") for s in range(SEEDS)]))


def _apart(out: Experiment, twin: Twin) -> None:
    """Edges that are as alike as the filter believes, more, and less; other seeds than in the cases."""
    made = twin.filter(ALIKE)
    for apart in APART:
        for curve in CURVES:
            truths = [twin.truth(curve, apart, seed) for seed in range(MANY)]
            runs = [twin.run(made, twin.run_real(truth), ALIKE, 100 + seed) for seed, truth in enumerate(truths)]
            out.apart[apart, curve] = [twin.error(found, truth, "a") for found, truth in zip(runs, truths, strict=True)]


def _nees(out: Experiment, twin: Twin, rows: int = 1001) -> None:
    """50 runs of a real model that starts and is disturbed as the filter believes."""
    near = Tuning("near", 5e-3, 2e-3, 5e4, 1e7, 1e-4, 1e6)
    made = twin.filter(near, ordinate_std=0.02, slope_std=0.1)
    model, truth = made.model, twin.truth(2)
    step, (g, q) = model.functions()["advance"], model.noise
    std = np.array([u.std for u in model.unknowns])
    p = twin.ode.parameters.pack(truth)
    angle, *gauges = twin.ode.states.indices(["arm.q.crank", *PRESSURES[:2]])
    for seed in range(50):
        rng = np.random.default_rng(1000 + seed)
        x = twin.ode.states.pack(twin.real_start)
        real = [x]
        for k in range(1, rows):
            x = np.array(step(x, twin.command[k - 1], p, twin.times[k - 1])).ravel()
            x[model.states] += (g @ (np.sqrt(q) * rng.normal(size=len(q))))[: len(model.states)]
            real.append(x)
        table = np.array(real)
        first, last = (np.concatenate([row[model.states], p[model.parameters]]) for row in (table[0], table[-1]))
        believed = dict(zip(model.names, first + std * rng.normal(size=len(std)), strict=True))
        start = twin.real_start | {n: v for n, v in believed.items() if n not in truth}
        o = np.column_stack([2 * np.cos(table[:, angle] / 2), *[table[:, i] - ATMOSPHERE for i in gauges]])
        o = o + rng.normal(size=o.shape) * near.sensors
        found = made.run(twin.times[:rows], twin.command[:rows], o, start=start,
                         parameters={n: v for n, v in believed.items() if n in truth})
        out.nees.append(found.nees(last))


def _clock(out: Experiment, twin: Twin) -> None:
    """Seconds a sample of filter, plant, both in one loop, and a plain NumPy filter, one after the other."""
    made, real = twin.filter(TUNED), twin.real(2)
    twin.run(made, real, TUNED, 0)
    began = time.process_time()
    twin.run(made, real, TUNED, 0)
    out.filter_time = (time.process_time() - began) / len(twin.times)
    began = time.process_time()
    twin.real(2)
    out.plant_time = (time.process_time() - began) / len(twin.times)
    loop = Simulation(twin.ode, [estimator(made, start=twin.start)], [twin.commands], method="trapezoid")
    world = loop.world(STEP, start=twin.real_start, parameters=twin.truth(2))
    began = time.process_time()
    loop.kernel.run(world, 2000)
    out.inside_time = (time.process_time() - began) / 2000
    made.plain  # noqa: B018 - built before the clock starts
    made.compiled, rows = False, 200
    o = twin.sensed(real, TUNED, np.random.default_rng(0))
    began = time.process_time()
    made.run(twin.times[:rows], twin.command[:rows], o[:rows], start=twin.start)
    out.numpy_time = (time.process_time() - began) / rows


def average_ordinate(found: Estimate, truth: dict[str, float]) -> tuple[Array, Array]:
    """Error of the mean of the inner ordinates of port a, and its standard deviation, at every sample."""
    assert found.history is not None
    names = [n for n in found.names if n.startswith(ordinate("a", 1).removesuffix("[1]"))]
    where = [found.index(n) for n in names]
    std = np.sqrt(found.history.posterior_cov[:, where][:, :, where].sum(axis=(1, 2))) / len(where)
    return found.mean[:, where].mean(axis=1) - np.mean([truth[n] for n in names]), std


def convergence(estimate: Estimate, twin: Twin, curve: int, port: str = "a", share: float = 0.05) -> list[float]:
    """Time from which each ordinate stays within `share` of the range of its true value."""
    out = []
    for k, true in enumerate(CURVES[curve][twin.points], 1):
        outside = np.abs(estimate[ordinate(port, k)] - true) > share * 0.95
        out.append(float(STEP * (np.flatnonzero(outside)[-1] + 1)) if outside.any() else 0.0)
    return out
