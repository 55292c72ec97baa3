"""The rig in two processes for a second of real time: it follows the ideal; the follower's recording is kept."""

from pathlib import Path

import pytest

from gerotor.machines.docking_rig.scenario import Scenario
from gerotor.simulation.recording import Recording
from gerotor.studies.docking.runs import Bench, deviation
from gerotor.studies.docking.split import follower, free_ports, leader, run_split


def test_two_processes(tmp_path: Path):
    bench = Bench()
    outcome, other = run_split(bench.matched, Scenario("table-2"), 1.0, folder=tmp_path)
    assert outcome.state == "ended"
    assert outcome.ticks == 1000
    assert outcome.traffic.malformed == 0
    found = deviation(outcome.recording, bench.ideal(Scenario("table-2"), 1.0))
    assert max(found[a] for a in "xyz") < 2e-4
    kept = Recording.load(tmp_path / "follower.parquet")
    assert len(kept) >= 1000
    assert other["ended"] in ("ended", "peer stopped")


@pytest.mark.parametrize("side", [leader, follower])
def test_alone_it_gives_up_and_says_so(side):
    bench = Bench()
    made = side(bench.matched if side is leader else bench, Scenario("table-1"), 1.0, free_ports())
    made.c.patience = 50_000_000
    outcome = made.run()
    assert outcome.state == "no peer"
