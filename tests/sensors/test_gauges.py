"""Readings against the numbers they are made of."""

import numpy as np
import pytest

from gerotor.errors import ParameterError
from gerotor.sensors.gauges import Gauge, gauges
from gerotor.simulation.simulation import Simulation
from tests.estimation.linear import oscillator


@pytest.mark.parametrize("compiled", [True, False])
def test_noise_offset_and_rate(compiled: bool) -> None:
    fitted = {"a": Gauge(signal="q", unit="m", std=0.2, offset=3.0), "b": Gauge(signal="v", unit="m/s", std=0.0, every=4)}
    run = Simulation(oscillator(), [gauges(fitted, period=0.01)], compiled=compiled).run(
        40.0, 0.01, start={"q": 1.0}, record=["q", "v", *fitted], record_period=0.01,
    )
    noise = run["a"] - run["q"] + 3.0
    assert np.std(noise) == pytest.approx(0.2, rel=0.05) and abs(np.mean(noise)) < 0.01
    there = np.isfinite(run["b"])
    assert there[:-1:4].all() and there.mean() == pytest.approx(0.25, abs=1e-3)
    np.testing.assert_array_equal(run["b"][there], run["v"][there])


def test_negative_noise_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"q\.std = -1 m"):
        Gauge(signal="q", unit="m", std=-1.0)
