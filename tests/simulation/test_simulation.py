"""Runs: what is recorded, how they end."""

import numpy as np
import pytest

from gerotor.errors import InputError, WiringError
from tests.codegen.plant import RECORD, closed_loop

pytestmark = pytest.mark.vm


def test_interrupt_keeps_what_was_recorded() -> None:
    def progress(done: float, wall: float) -> None:
        if done > 0.2:
            raise KeyboardInterrupt

    run = closed_loop().run(1.0, 0.0025, record=["q"], record_period=0.0025, progress=progress)
    assert run.facts["stopped"] == "interrupted"
    assert 0.2 < run.time[-1] < 0.5
    whole = closed_loop().run(1.0, 0.0025, record=["q"], record_period=0.0025)
    np.testing.assert_array_equal(run["q"], whole["q"][: len(run)])


def test_a_continued_run_equals_a_whole_one() -> None:
    simulation = closed_loop()
    world = simulation.world(0.0025, start={"q": 0.2})
    for _ in range(2):
        simulation.continue_run(world, 0.25)
    whole = simulation.run(0.5, 0.0025, start={"q": 0.2}, record=["q", "v", "f"])
    np.testing.assert_array_equal(world.x, whole.values[-1, [3, 1, 2]])


def test_facts_and_columns() -> None:
    run = closed_loop().run(0.5, 0.005, record=RECORD, record_period=0.01)
    assert run.names == RECORD
    assert run.unit("power") == "W"
    assert run.facts["simulated"] == pytest.approx(0.5)
    assert (run.facts["machine"], run.facts["integrator"], run.facts["step"]) == ("plant", "extrapolated", 0.005)
    np.testing.assert_allclose(run.time, np.arange(51) * 0.01, atol=1e-12)
    np.testing.assert_allclose(run["height"], np.cos(run["q"]), rtol=1e-12)


def test_wrong_requests_are_refused() -> None:
    simulation = closed_loop()
    with pytest.raises(WiringError, match="unknown signal 'qq'"):
        simulation.run(0.1, 0.005, record=["qq"])
    with pytest.raises(WiringError, match="unknown signal 'u'"):
        simulation.run(0.1, 0.005, inputs={"u": 1.0})
    with pytest.raises(InputError, match=r"recording period of .* is not a multiple"):
        simulation.run(0.1, 0.005, record_period=0.007)
    for duration in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(InputError, match=r"duration = .* s: must be above 0"):
            simulation.run(duration, 0.005)
