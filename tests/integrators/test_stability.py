"""Very stiff decay and oscillation: what the stability claims say."""

import numpy as np
import pytest

from gerotor.integrators import INTEGRATORS, integrator
from tests.integrators.march import amplification, march
from tests.integrators.problems import decay, oscillator, turbulent_flow

pytestmark = pytest.mark.vm
L_STABLE = [n for n, kind in INTEGRATORS.items() if kind.l_stable]


def test_the_default_is_l_stable() -> None:
    assert integrator().l_stable
    assert len(L_STABLE) >= 8


@pytest.mark.parametrize("name", L_STABLE)
def test_stiff_decay_is_gone_after_one_step(name: str) -> None:
    assert abs(march(integrator(name), decay(1e8), [1.0], 1.0, 1)[0]) < 1e-6


@pytest.mark.parametrize("name", L_STABLE)
def test_stiff_oscillation_is_gone_after_a_step(name: str) -> None:
    matrix = amplification(integrator(name), oscillator(1e6), 1.0)
    assert np.max(np.abs(np.linalg.eigvals(matrix))) < 1e-4


@pytest.mark.parametrize("name", L_STABLE)
@pytest.mark.parametrize("z", [0.01, 0.1, 1.0, 10.0, 100.0])
def test_no_decay_grows(name: str, z: float) -> None:
    assert abs(amplification(integrator(name), decay(z), 1.0)[0, 0]) < 1


def test_trapezoid_does_not_damp_stiff_decay() -> None:
    assert march(integrator("trapezoid"), decay(1e8), [1.0], 1.0, 1)[0] == pytest.approx(-1, abs=1e-6)


def test_explicit_methods_blow_up_on_stiff_decay() -> None:
    assert abs(march(integrator("rk4"), decay(100.0), [1.0], 1.0, 1)[0]) > 1e5


@pytest.mark.parametrize("name", ["linear-euler", "extrapolated", "extrapolated-3", "implicit-euler", "sdirk2", "hht-alpha"])
@pytest.mark.parametrize("start", [0.0, 100.0])
@pytest.mark.parametrize("rate", [1.0, 100.0, 1e4])
def test_a_jump_of_a_turbulent_resistance_settles(name: str, start: float, rate: float) -> None:
    """A valve that opens (from 0) or closes (from far above), one second a step: the flow finds its balance."""
    assert march(integrator(name), turbulent_flow(rate), [start], 1.0, 30)[0] == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("name", ["ros2", "rodas3", "rodas4"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_rosenbrock_methods_lose_a_stiff_turbulent_resistance(name: str) -> None:
    """Their later stages use the slope of the step's start, which says nothing there; docs/integrators.md tells users."""
    assert march(integrator(name), turbulent_flow(1.0), [0.0], 1.0, 30)[0] == pytest.approx(1, abs=0.02)
    assert not abs(march(integrator(name), turbulent_flow(100.0), [0.0], 1.0, 30)[0] - 1) < 0.5
