"""Spectral radius of both forms, and what the coupling term buys."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.errors import ParameterError
from gerotor.integrators.hht_alpha import HHTAlpha
from tests.integrators.march import amplification
from tests.integrators.problems import closed_valve, decay, oscillator

pytestmark = pytest.mark.vm
ALPHAS = st.floats(-1 / 3, 0)
STEPS = st.floats(-3, 4).map(lambda e: 10.0**e)


def radius(matrix: np.ndarray) -> float:
    return float(np.max(np.abs(np.linalg.eigvals(matrix))))


def theory(alpha: float, wh: float) -> np.ndarray:
    """Hilber, Hughes, Taylor on q'' = -w^2 q in (q, h v, h^2 a): Newmark's two formulas and the weighted balance."""
    beta, gamma = (1 - alpha) ** 2 / 4, 0.5 - alpha
    left = np.array([[1, 0, -beta], [0, 1, -gamma], [(1 + alpha) * wh**2, 0, 1]])
    right = np.array([[1, 1, 0.5 - beta], [0, 1, 1 - gamma], [alpha * wh**2, 0, 0]])
    return np.linalg.solve(left, right)


@given(alpha=ALPHAS, wh=STEPS)
def test_consistent_form_has_the_eigenvalues_of_the_theory(alpha: float, wh: float) -> None:
    ours = amplification(HHTAlpha(alpha=alpha, consistent=True), oscillator(wh), 1.0)
    np.testing.assert_allclose(np.poly(ours), np.poly(theory(alpha, wh)), atol=1e-7)
    assert radius(theory(alpha, wh)) < 1 + 1e-9


@pytest.mark.parametrize("alpha", [0.0, -0.05, -0.1, -0.2, -1 / 3])
def test_limit_of_stiff_oscillators(alpha: float) -> None:
    theta = (0.5 - alpha) * (1 + alpha)
    paper = radius(amplification(HHTAlpha(alpha=alpha), oscillator(1e5), 1.0))
    consistent = radius(amplification(HHTAlpha(alpha=alpha, consistent=True), oscillator(1e5), 1.0))
    assert paper == pytest.approx(max((1 - theta) / theta, (1 + alpha) / (1 - alpha)), rel=1e-3)
    assert consistent == pytest.approx(max((1 + alpha) / (1 - alpha), -alpha / (1 + alpha)), rel=1e-3)


@given(alpha=ALPHAS, wh=STEPS)
def test_paper_form_does_not_grow(alpha: float, wh: float) -> None:
    assert radius(amplification(HHTAlpha(alpha=alpha), oscillator(wh), 1.0)) < 1 + 1e-7


@given(alpha=ALPHAS, z=STEPS)
def test_first_order_block_is_a_theta_method(alpha: float, z: float) -> None:
    theta = (0.5 - alpha) * (1 + alpha)
    ours = amplification(HHTAlpha(alpha=alpha), decay(z), 1.0)
    assert ours[0, 0] == pytest.approx((1 - (1 - theta) * z) / (1 + theta * z), rel=1e-9, abs=1e-12)


def test_coupling_raises_the_stable_step_of_a_closed_valve() -> None:
    """Staggered, an oil spring is stable up to w h = 2, as symplectic Euler is; with the coupling term beyond."""
    plain = {wh: radius(amplification(HHTAlpha(), closed_valve(wh), 1.0)) for wh in (1.0, 1.9, 2.1, 4.0)}
    coupled = {wh: radius(amplification(HHTAlpha(coupling=True), closed_valve(wh), 1.0)) for wh in (1.0, 1.9, 2.1, 4.0)}
    assert max(plain[1.0], plain[1.9], coupled[1.0], coupled[1.9]) < 1 + 1e-7
    assert min(plain[2.1], plain[4.0]) > 1.1
    assert max(coupled[2.1], coupled[4.0]) < 1 + 1e-7


@pytest.mark.parametrize("alpha", [-0.34, 0.01, float("nan")])
def test_alpha_out_of_range_is_refused(alpha: float) -> None:
    with pytest.raises(ParameterError, match=r"hht-alpha\.alpha = .*: must be between -1/3 and 0"):
        HHTAlpha(alpha=alpha)
