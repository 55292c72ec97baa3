import time
from collections.abc import Callable

import numpy as np
import pytest

from gerotor.errors import InputError, WiringError
from gerotor.realtime.paced_run import PacedRun, bare_loop
from gerotor.simulation.simulation import Simulation
from tests.realtime.plant import answer, controlled, lag


@pytest.fixture(scope="module")
def plant() -> Simulation:
    return lag(method="rk4")


def wait(condition: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def test_same_numbers_as_an_unpaced_run(plant: Simulation) -> None:
    inputs = {"u": 1.5}
    run = PacedRun(plant, plant.world(1e-3, inputs=inputs), rate=1000, duration=0.3, record=["x", "u", "y"])
    run.start().join()
    rows = run.drain()
    free = plant.run(0.3, 1e-3, inputs=inputs, record=["x", "u", "y"], record_period=1e-3)
    np.testing.assert_array_equal(rows, free.values[:300])
    assert run.ledger().ticks == run.ledger().steps == 300
    assert run.state == "stopped"


@pytest.mark.parametrize(("rate", "step", "scale", "steps"), [
    (1000, 1e-3, 10.0, 1000), (1000, 1e-3, 0.1, 10), (500, 1e-3, 1.0, 200), (1000, 5e-3, 1.0, 20), (5000, 2e-4, 1.0, 100),
    (100, 2e-4, 10.0, 50_000), (1000, 1e-3, 0.7, 70),
])
def test_time_scale_and_step(plant: Simulation, rate: float, step: float, scale: float, steps: int) -> None:
    run = PacedRun(plant, plant.world(step), rate=rate, scale=scale, duration=100 / rate)
    run.start().join()
    assert run.ledger().steps == steps
    assert run.time == pytest.approx(steps * step)
    assert run.c.rows_lost == 0


def test_pause_single_step_resume(plant: Simulation) -> None:
    with PacedRun(plant, plant.world(1e-3), rate=1000) as run:
        wait(lambda: run.time > 0.02)
        run.pause()
        wait(lambda: run.state == "paused")
        at = run.world.c.k
        time.sleep(0.03)
        assert run.world.c.k == at
        run.single_step()
        wait(lambda: run.world.c.k == at + 1)
        run.single_step(5)
        wait(lambda: run.world.c.k == at + 6)
        run.resume()
        wait(lambda: run.world.c.k > at + 20)
    assert run.state == "stopped"
    assert not run.running


def test_inputs_while_running(plant: Simulation) -> None:
    with PacedRun(plant, plant.world(1e-3), rate=1000, record=["x", "u"]) as run:
        wait(lambda: run.time > 0.01)
        run.set({"u": 1.0})
        wait(lambda: run.time > 0.3)
    rows = run.drain()
    k = int(np.argmax(rows[:, 2] == 1.0))
    assert 0 < k < len(rows) and np.all(rows[k:, 2] == 1.0)
    expected = [answer(rows[k, 1], 1.0, t) for t in rows[k:, 0] - rows[k, 0]]
    np.testing.assert_allclose(rows[k:, 1], expected, atol=1e-7)


def test_inputs_are_never_torn(plant: Simulation) -> None:
    """Two inputs always set to the same value are always seen with the same value."""
    with PacedRun(plant, plant.world(2e-4, inputs={"u": 0.0}, parameters={"k": 0.0}), rate=5000, record=["u", "x"]) as run:
        for value in np.linspace(0, 2, 4000):
            run.set({"u": value, "k": value})
            assert run.world.w[0] <= value
        wait(lambda: run.world.w[0] == 2.0)
        assert run.world.p[0] == 2.0


def test_refused_inputs_change_nothing(plant: Simulation) -> None:
    run = PacedRun(plant, plant.world(1e-3))
    for bad in ({"u": float("nan")}, {"u": float("inf")}, {"v": 1.0}):
        with pytest.raises(InputError):
            run.set(bad)
    run.set({"u": 1e9})
    assert run._inbox[0] == 2.0


def test_emergency_stop_wins_over_a_controller() -> None:
    plant = controlled(2.0)
    with PacedRun(plant, plant.world(1e-3), rate=1000, record=["u", "x"]) as run:
        wait(lambda: run.world.x[0] > 0.5)
        run.emergency_stop()
        wait(lambda: run.world.x[0] < 0.1)
        assert run.input_state == "emergency stop"
        run.release()
        wait(lambda: run.world.x[0] > 0.5)
    rows = run.drain()
    assert set(np.unique(rows[:, 1])) == {0.0, 2.0}


def test_a_stop_may_take_its_time() -> None:
    plant = controlled(2.0)
    with PacedRun(plant, plant.world(1e-3), rate=1000, record=["u"], stop_time=0.1) as run:
        wait(lambda: run.time > 0.05)
        run.emergency_stop()
        wait(lambda: run.world.w[0] == 0.0)
    u = run.drain()[:, 1]
    down = u[int(np.argmax(u < 2.0)) : int(np.argmax(u == 0.0)) + 1]
    np.testing.assert_allclose(down, np.clip(2.0 - 0.02 * np.arange(1, len(down) + 1), 0, None), atol=0.045)
    assert len(down) == pytest.approx(100, abs=2)


def test_watchdog_holds_then_stops(plant: Simulation) -> None:
    run = PacedRun(plant, plant.world(1e-3), rate=1000)
    run.watch_inputs(hold_after=0.05, safe_after=0.1)
    with run:
        run.set({"u": 1.0})
        wait(lambda: run.input_state == "hold")
        assert run.world.w[0] == 1.0
        wait(lambda: run.input_state == "safe stop")
        wait(lambda: run.world.w[0] == 0.0)
        run.set({"u": 2.0})
        time.sleep(0.02)
        assert run.input_state == "safe stop"
        run.release()
        wait(lambda: run.world.w[0] == 2.0 or run.input_state != "safe stop")


def test_out_of_range_stops_with_the_reason(plant: Simulation) -> None:
    run = PacedRun(plant, plant.world(1e-3, inputs={"u": 2.0}, parameters={"k": 50.0}), rate=1000, duration=5)
    run.start().join()
    assert run.state == "out of range"
    with pytest.raises(Exception, match=r"x = 10\.\d+ 1 left its range"):
        run.check()


def test_ring_full_is_counted_and_the_loop_goes_on(plant: Simulation) -> None:
    run = PacedRun(plant, plant.world(1e-3), rate=1000, duration=0.1, room=40)
    run.start().join()
    assert run.ledger().rows_lost == 60
    assert len(run.drain()) == 40


def test_bare_loop_only_sleeps() -> None:
    thread, ledger = bare_loop(1000, 0.1)
    thread.join()
    assert (ledger().ticks, ledger().steps) == (100, 0)


def test_refusals(plant: Simulation) -> None:
    world = plant.world(1e-3)
    for options in ({"rate": 50.0}, {"rate": 1e6}, {"scale": 0.0}, {"scale": float("nan")}, {"policy": "hope"}):
        with pytest.raises(InputError):
            PacedRun(plant, world, **options)  # type: ignore[arg-type]
    with pytest.raises(WiringError, match="unknown input"):
        PacedRun(plant, world, inputs=["nothing"])
    with pytest.raises(InputError, match="started before"):
        PacedRun(plant, world, duration=0.01).start().start()
