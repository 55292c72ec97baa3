from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.core.evaluate import evaluate
from gerotor.mechanics.brown_mcphee import BrownMcPhee

SEAL = BrownMcPhee(coulomb=210.0, static=830.0, stribeck_velocity=1.25e-2, viscous=330.0)


@pytest.mark.parametrize(("v", "F"), [(1.25e-2, 833.98), (0.05, 336.41), (0.2, 278.32)])
def test_worked_numbers(v: float, F: float) -> None:
    """[khadim2021, table 1]."""
    assert evaluate(SEAL, v=v)["F"] == pytest.approx(F, abs=0.005)


@given(v=st.one_of(st.floats(-1e12, 1e12), st.sampled_from([0.0, 1e-300])))
def test_odd_passive_finite(check_finite: Any, v: float) -> None:
    F = evaluate(SEAL, v=v)["F"]
    assert -evaluate(SEAL, v=-v)["F"] == F
    assert F * v >= 0
    check_finite(SEAL, v=v)


def test_units(check_units: Any) -> None:
    check_units(SEAL, v=0.02)
    assert BrownMcPhee(coulomb=1.0, static=2.0, stribeck_velocity=0.1, viscous=0.0, rotary=True).outputs["F"].unit == "N*m"
