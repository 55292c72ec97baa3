"""The reference solver against an exact answer, and the default method against the reference solver."""

import numpy as np
import pytest

from gerotor.machines import load_machine
from gerotor.simulation.reference_solver import reference_solution
from gerotor.simulation.simulation import Simulation
from tests.integrators.problems import oscillator


@pytest.mark.vm
@pytest.mark.parametrize("method", ["Radau", "BDF"])
def test_oscillator(method: str) -> None:
    times = np.linspace(0, 1, 11)
    found = reference_solution(oscillator(3.0), times, start={"q": 1.0}, method=method)  # type: ignore[arg-type]
    np.testing.assert_allclose(found[:, 0], np.cos(3 * times), atol=1e-6)


def test_default_method_on_the_reference_arm_in_open_loop() -> None:
    """A valve opened by half, 0.2 s: joints move by centimetres and degrees, the default method at 0.2 ms follows."""
    assembled = load_machine("kaeri-arm").assemble()
    ode = assembled.ode()
    start, inputs = assembled.rest({"j2": 0.2}), {"j1.i": 0.01}
    joints = [n for n in ode.states.names if n.startswith("arm.q.")]
    run = Simulation(ode).run(0.2, 2e-4, start=start, inputs=inputs, record=joints, record_period=0.02)
    exact = reference_solution(ode, run.time, start=start, inputs=inputs, tolerance=1e-8)[:, ode.states.indices(joints)]
    assert np.ptp(exact[:, 0]) > 0.01
    np.testing.assert_allclose(run.values[:, 1:], exact, atol=1e-5)
