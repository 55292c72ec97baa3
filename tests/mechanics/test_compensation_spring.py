import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.core.evaluate import evaluate
from gerotor.errors import ParameterError
from gerotor.mechanics.compensation_spring import CompensationSpring

RX90 = {"fixed_anchor": 0.25, "moving_anchor": 0.08, "stiffness": 7500.0, "pretension": 1275.0}


@given(st.floats(-3, 3))
def test_zero_free_length_gives_a_pure_sine(q: float) -> None:
    assert evaluate(CompensationSpring(**RX90), q=q)["tau"] == pytest.approx(-150 * np.sin(q), abs=1e-9)


@given(st.floats(-3, 3), st.floats(0, 3000))
def test_torque_is_minus_the_gradient_of_the_energy(q: float, pretension: float) -> None:
    spring = CompensationSpring(**(RX90 | {"pretension": pretension}))

    def energy(angle: float) -> float:
        e = float(np.sqrt(0.25**2 + 0.08**2 - 2 * 0.25 * 0.08 * np.cos(angle)) - 0.17)
        return pretension * e + 7500 * e * e / 2

    slope = (energy(q + 1e-5) - energy(q - 1e-5)) / 2e-5
    assert evaluate(spring, q=q)["tau"] == pytest.approx(-slope, abs=1e-5)


def test_anchors_at_the_same_distance_are_refused() -> None:
    with pytest.raises(ParameterError, match="must differ from fixed_anchor"):
        CompensationSpring(**(RX90 | {"moving_anchor": 0.25}))
