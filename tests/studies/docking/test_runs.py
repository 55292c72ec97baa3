"""One compiled run of the whole rig: uncompensated it diverges, compensated it follows the ideal, and parameters are found."""

import numpy as np
import pytest

from gerotor.machines.docking_rig.scenario import Scenario
from gerotor.studies.docking.runs import DITHER, Bench, deviation

BENCH = Bench()


def test_six_axes_with_the_published_method():
    ideal = BENCH.ideal(Scenario("table-2"), 2.0)
    run = BENCH.published.run(Scenario("table-2"), 2.0)
    bare = BENCH.published.run(Scenario("table-2", compensate=False), 2.0)
    good, bad = deviation(run, ideal), deviation(bare, ideal)
    assert max(good[a] for a in "xyz") < 2e-4
    assert bad["y"] > 20 * good["y"]
    for a, damping in zip("xyz", (400, 240, 320), strict=True):
        found = run[f"damping.{a}"][500:].mean()
        assert damping - 14 < found < damping  # the lead leaves 0.2 ms: c - k 0.2 ms


@pytest.mark.parametrize("name", ["table-1", "table-2"])
def test_aligned_method(name):
    ideal = BENCH.ideal(Scenario(name), 2.0)
    run = BENCH.aligned.run(Scenario(name, dither=DITHER), 2.0, step=5e-4)
    for a in BENCH.rig.set(name).axes:
        assert deviation(run, ideal)[a] < 1e-5
        assert np.abs(run[f"stiffness.{a}"] / ideal[f"rope.k.{a}"] - 1)[200:].max() < 0.02
        assert np.mean(run[f"damping.{a}"][500:]) == pytest.approx(ideal[f"rope.c.{a}"][0], rel=0.05)


def test_platform_stands_still_when_nothing_pulls():
    """Balance of the start: drives carry weight and rope, so the first millisecond moves nothing."""
    loop = BENCH.published
    world = loop.world(Scenario("table-2", noise=0.0))
    before = world.x.copy()
    loop.simulation.kernel.run(world, 1)
    names = loop.simulation.ode.states.names
    moved = {n: abs(a - b) for n, a, b in zip(names, world.x, before, strict=True) if n.startswith(("platform", "sensor"))}
    assert max(moved.values()) < 1e-6


def test_runs_converge_with_the_step():
    """1 ms is within 0.5 % of the 10 mm motion; half of it leaves a tenth of that, or what round-off and repeated steps leave."""
    runs = {h: BENCH.published.run(Scenario("table-2", noise=0.0), 1.0, step=h) for h in (1e-3, 5e-4, 1.25e-4)}
    off = {h: max(np.abs(runs[h][f"desired.{a}"] - runs[1.25e-4][f"desired.{a}"]).max() for a in "xyz") for h in runs}
    assert off[1e-3] < 5e-5
    assert off[5e-4] < max(0.1 * off[1e-3], 1e-8)


def test_moving_anchor_is_followed():
    """The drag mechanism pulls the rope at 5 mm/s: the rig still follows the ideal and finds stiffness and damping."""
    scenario = Scenario("table-1", drag=(0.0, 0.0, 5e-3), dither=DITHER)
    ideal = BENCH.ideal(scenario, 2.0)
    run = BENCH.aligned.run(scenario, 2.0, step=5e-4)
    assert deviation(run, ideal)["z"] < 2e-5
    assert abs(ideal["control.z"][-1] - BENCH.ideal(Scenario("table-1"), 2.0)["control.z"][-1]) > 2e-3
    assert run["stiffness.z"][-1] == pytest.approx(5e4, rel=0.02)
    assert np.mean(run["damping.z"][500:]) == pytest.approx(100, rel=0.05)
