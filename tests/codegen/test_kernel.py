"""Compiled runs equal those of the virtual machine, with sampled parts, tables and records."""

import sys
import threading
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from gerotor.codegen.compiler import find_compiler
from gerotor.codegen.source import c_source
from gerotor.errors import InputError, StepError
from gerotor.integrators import INTEGRATORS
from gerotor.integrators.hht_alpha import HHTAlpha
from gerotor.simulation.simulation import Simulation
from tests.codegen.plant import RECORD, closed_loop
from tests.integrators.problems import decay

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
METHODS = [*INTEGRATORS, HHTAlpha(consistent=True, coupling=True)]


@needs_compiler
@pytest.mark.parametrize("method", METHODS, ids=str)
def test_compiled_equals_virtual_machine(method: str) -> None:
    runs = [
        closed_loop(method, compiled).run(
            0.55, 0.0025, start={"q": 0.3}, parameters={"k": 4.5}, record=RECORD, record_period=0.01)
        for compiled in (True, False)
    ]
    assert [r.facts["compiled"] for r in runs] == [True, False]
    assert len(runs[0]) == 56
    np.testing.assert_allclose(runs[0].values, runs[1].values, rtol=1e-12, atol=1e-12)


@pytest.mark.vm
@pytest.mark.parametrize("compiled", [pytest.param(True, marks=needs_compiler), False])
def test_python_parts_equal_native_ones(compiled: bool) -> None:
    a, b = (closed_loop(compiled=compiled, native=native).run(0.5, 0.0025, record=RECORD) for native in (True, False))
    np.testing.assert_allclose(a.values, b.values, rtol=1e-12, atol=1e-13)


@pytest.mark.vm
def test_a_run_in_pieces_is_the_same_run() -> None:
    simulation = closed_loop("ab3")
    whole = simulation.world(0.0025)
    simulation.kernel.run(whole, 200)
    pieces = simulation.world(0.0025)
    for n in (1, 1, 7, 91, 100):
        simulation.kernel.run(pieces, n)
    assert np.array_equal(whole.x, pieces.x)
    assert np.array_equal(whole.d, pieces.d)


@pytest.mark.vm
def test_held_signals_change_only_at_their_samples() -> None:
    run = closed_loop().run(0.4, 0.0025, record=["i", "speed", "clock", "ref.q"], record_period=0.0025)
    steps = np.round(run.time / 0.0025).astype(int)
    for name, every in (("i", 8), ("speed", 2), ("ref.q", 40)):
        changed = np.flatnonzero(np.diff(run[name][:-1])) + 1  # the last row repeats what is held
        assert len(changed)
        assert np.all(steps[changed] % every == 0)
    np.testing.assert_allclose(run["clock"][:-1], 2 * 0.005 * (steps[:-1] // 2))
    np.testing.assert_allclose(run["ref.q"][:-1], np.array([0.0, 0.5, -0.2, 0.3])[steps[:-1] // 40])


@pytest.mark.vm
@pytest.mark.parametrize("step", [0.003, 0.04, 0.0051])
def test_periods_must_be_multiples_of_the_step(step: float) -> None:
    with pytest.raises(InputError, match=r"period of (filter|pi) of .* s is not a multiple of the step"):
        closed_loop().run(1, step)


@pytest.mark.vm
@pytest.mark.parametrize("step", [0.0, -1.0, float("nan"), float("inf")])
def test_step_must_be_positive(step: float) -> None:
    with pytest.raises(InputError, match=r"step = .* s: must be above 0"):
        closed_loop().run(1, step)


@pytest.mark.vm
@pytest.mark.parametrize("compiled", [pytest.param(True, marks=needs_compiler), False])
def test_leaving_the_range_stops_and_keeps_the_recording(compiled: bool) -> None:
    with pytest.raises(StepError) as caught:
        closed_loop(compiled=compiled).run(2, 0.0025, start={"v": 40.0}, record=["q"], record_period=0.0025)
    assert str(caught.value).startswith("plant stopped at 0.")
    assert "q = 3." in str(caught.value)
    assert "rad left its range -3 to 3 rad; " in str(caught.value)
    kept = caught.value.recording
    assert len(kept) > 50
    assert np.all(np.diff(kept["q"]) > 0)
    assert kept["q"][-1] < 3


@pytest.mark.vm
@pytest.mark.parametrize("compiled", [pytest.param(True, marks=needs_compiler), False])
def test_what_is_not_finite_stops_with_advice(compiled: bool) -> None:
    words = r"decay stopped at \d+ s: y = \S+ 1 is not finite with ab3 at 1000 ms; ab3 at 50 ms runs through"
    with pytest.raises(StepError, match=words) as caught:
        Simulation(decay(10.0), method="ab3", compiled=compiled).run(1000, 1.0, start={"y": 1.0}, record_period=1.0)
    assert len(caught.value.recording) > 40


@needs_compiler
def test_the_interpreter_lock_is_released() -> None:
    """While the run is under way another thread counts; with the lock held it could not count at all."""
    simulation = closed_loop()
    world = simulation.world(0.0025)
    count, seen = [0], []

    def run() -> None:
        before = count[0]
        simulation.kernel.run(world, 2_000_000)
        seen.append(count[0] - before)

    thread = threading.Thread(target=run)
    thread.start()
    while thread.is_alive():
        count[0] += 1
    assert seen[0] > 0


@needs_compiler
def test_nothing_is_allocated_per_step() -> None:
    simulation = closed_loop()
    assert "malloc" not in c_source(simulation.program)
    world = simulation.world(0.0025)
    simulation.kernel.run(world, 1000)
    tracemalloc.start()
    simulation.kernel.run(world, 1_000_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    resident = _resident()
    simulation.kernel.run(world, 1_000_000)
    grown = _resident() - resident
    assert peak < 10_000
    assert grown < 200_000


def _resident() -> int:
    if sys.platform != "linux":
        return 0
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


@needs_compiler
def test_another_step_parameter_or_record_needs_no_rebuild(monkeypatch: pytest.MonkeyPatch) -> None:
    simulation = closed_loop()
    monkeypatch.setattr("gerotor.codegen.command.subprocess.Popen", _forbidden)
    for step, k in ((0.0025, 4.0), (0.005, 3.0), (0.001, 9.0)):
        simulation.run(0.1, step, parameters={"k": k}, record=["power"])


def _forbidden(*_: object, **__: object) -> None:
    raise AssertionError("the compiler was called")
