"""The filter inside the loop against the filter over the readings the loop recorded."""

import numpy as np
import pytest

from gerotor.core.layout import Entry, Layout
from gerotor.core.table import Table
from gerotor.errors import InputError, WiringError
from gerotor.estimation.estimator import estimator
from gerotor.estimation.filter import Filter
from gerotor.estimation.unknown import Measured, Unknown
from gerotor.realtime.paced_run import PacedRun
from gerotor.sensors.gauges import Gauge, gauges
from gerotor.simulation.simulation import Simulation
from gerotor.studies.valve_curve.twin import ALIKE, ATMOSPHERE, LENGTH, PRESSURES, STEP, Twin
from tests.estimation.linear import oscillator

SAMPLES = slice(-1)  # the last row is the end of the last step, before its sample


def oscillator_filter(noise: float = 0.0, **options) -> Filter:
    stiffness = Unknown(name="k", std=2.0, noise=noise, upper=7.0)
    unknowns = [Unknown(name="q", std=0.3), Unknown(name="v", std=0.3, noise=0.1), stiffness]
    return Filter(oscillator(), unknowns, [Measured(name="y0", std=0.05, offset=0.5)], period=0.02, **options)


@pytest.mark.parametrize("noise", [0.0, 0.1])
@pytest.mark.parametrize("compiled", [True, False])
def test_equals_the_filter_over_the_same_readings(noise: float, compiled: bool) -> None:
    """A constant and a wandering parameter, a gauge with a third of the rate, a bound that is reached."""
    made = oscillator_filter(noise)
    gauge = gauges({"reading": Gauge(signal="y0", unit="1", std=0.05, offset=0.5, every=3)}, period=0.02)
    part = estimator(made, sensors={"y0": "reading"}, start={"q": 0.2})
    t = np.arange(301) * 0.02
    command = Table("command", 0.02, np.sin(3 * t)[:, None], Layout((Entry("u0"),)))
    run = Simulation(oscillator(), [gauge, part], [command], compiled=compiled).run(
        6.0, 0.02, parameters={"k": 6.0}, start={"q": -0.1}, record=["reading", "u0", *part.holds.names], record_period=0.02,
    )
    expected = made.run(run.time[SAMPLES], run["u0"][SAMPLES], run["reading"][SAMPLES], start={"q": 0.2})
    for k, name in enumerate(expected.names):
        np.testing.assert_allclose(run[f"estimator.{name}"][SAMPLES], expected.mean[:, k], rtol=1e-10, atol=1e-12)
        np.testing.assert_allclose(run[f"estimator.{name}.std"][SAMPLES], expected.std[:, k], rtol=1e-10)
    np.testing.assert_allclose(run["estimator.nis"][SAMPLES], expected.nis, rtol=1e-9, atol=1e-12)


def test_four_bar_in_a_paced_loop() -> None:
    """11 unknowns; plant, noisy gauges and filter in one kernel at 1 kHz, then over the recorded readings."""
    twin = Twin(3)
    made = twin.filter(ALIKE)
    s, p, _ = ALIKE.sensors
    readings = {"rod": Gauge(signal=LENGTH, unit="m", std=s)}
    readings |= {f"gauge_{k}": Gauge(signal=n, unit="Pa", std=p, offset=ATMOSPHERE) for k, n in enumerate(PRESSURES[:2])}
    part = estimator(made, start=twin.start, sensors=dict(zip((LENGTH, *PRESSURES[:2]), readings, strict=True)))
    command = Table("command", STEP, twin.command, Layout((Entry("crank.u"),)))
    simulation = Simulation(twin.ode, [gauges(readings, period=STEP), part], [command], method="trapezoid")
    world = simulation.world(STEP, start=twin.real_start, parameters=twin.truth(2))
    record = [*readings, *part.holds.names]
    paced = PacedRun(simulation, world, rate=1000.0, duration=0.4, inputs=[], record=record)
    paced.start().join()
    rows = paced.drain()
    t = rows[:, 0]
    assert len(t) >= 399
    expected = made.run(t, twin.command[: len(t)], rows[:, 1:4], start=twin.start)
    n, size = len(expected.names), np.abs(expected.mean).max(axis=0)
    np.testing.assert_allclose(rows[:, 4:4 + n] / size, expected.mean / size, rtol=0, atol=1e-10)
    np.testing.assert_allclose(rows[:, 4 + n:4 + 2 * n], expected.std, rtol=1e-10)


def test_reads_the_plant_less_the_offset_without_a_sensor() -> None:
    made = oscillator_filter()
    part = estimator(made, name="e")
    assert part.reads == ("y0", "u0") and part.period == 0.02
    run = Simulation(oscillator(), [part]).run(1.0, 0.02, start={"q": 0.3}, record=["q", *part.holds.names], record_period=0.02)
    expected = made.run(run.time[SAMPLES], np.zeros((len(run) - 1, 1)), run["q"][SAMPLES] - 0.5)
    np.testing.assert_allclose(run["e.k"][SAMPLES], expected["k"], rtol=1e-10)


def test_wrong_use_is_named() -> None:
    with pytest.raises(InputError, match="unscented filter cannot run inside a loop"):
        estimator(oscillator_filter(kind="unscented"))
    with pytest.raises(WiringError, match="unknown measured signal 'y9'"):
        estimator(oscillator_filter(), sensors={"y9": "a"})
    with pytest.raises(WiringError, match="unknown input 'u9'"):
        estimator(oscillator_filter(), inputs={"u9": "a"})
