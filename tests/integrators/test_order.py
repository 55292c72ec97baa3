"""Measured order of every method on a smooth, driven problem with a mass matrix, against SciPy."""

import pytest

from gerotor.errors import InputError
from gerotor.integrators import DEFAULT, INTEGRATORS, integrator
from gerotor.integrators.hht_alpha import HHTAlpha
from tests.integrators.march import measured_order
from tests.integrators.problems import driven_pendulum, one_block

pytestmark = pytest.mark.vm
START = [0.4, -0.3, 0.2, 0.5, 0.1]
COUNTS = {1: (400, 800, 1600), 2: (100, 200, 400), 3: (80, 160, 320), 4: (50, 100, 200)}


@pytest.mark.parametrize("name", INTEGRATORS)
def test_order(name: str) -> None:
    method = integrator(name)
    order = measured_order(method, driven_pendulum(), START, 2.0, COUNTS[method.order])
    assert abs(order - method.order) < 0.15


@pytest.mark.parametrize("iterations", [2, 5])
def test_two_newton_iterations_keep_the_order(iterations: int) -> None:
    for name in ("implicit-euler", "trapezoid", "sdirk2"):
        method = integrator(name, iterations=iterations)
        order = measured_order(method, driven_pendulum(), START, 2.0, COUNTS[method.order])
        assert order > method.order - 0.15


def test_consistent_hht_is_of_order_two_on_one_block() -> None:
    method = HHTAlpha(consistent=True)
    assert abs(measured_order(method, one_block(), START[:4], 2.0, COUNTS[2]) - 2) < 0.15


def test_paper_hht_is_of_order_one_on_one_block() -> None:
    assert abs(measured_order(HHTAlpha(), one_block(), START[:4], 2.0, COUNTS[1]) - 1) < 0.15


def test_unknown_names_and_options_are_refused() -> None:
    assert integrator().name == DEFAULT
    with pytest.raises(InputError, match="unknown integrator 'rk5'; known: rk4"):
        integrator("rk5")
    with pytest.raises(InputError, match="unknown option 'beta'; known: alpha"):
        integrator("hht-alpha", beta=0.1)
