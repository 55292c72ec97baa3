"""Very stiff decay and oscillation: what the stability claims say."""

import numpy as np
import pytest

from gerotor.integrators import INTEGRATORS, integrator
from tests.integrators.march import amplification, march
from tests.integrators.problems import decay, oscillator

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
