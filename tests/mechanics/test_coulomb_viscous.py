from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.core.evaluate import evaluate
from gerotor.mechanics.coulomb_viscous import CoulombViscous

JOINT = CoulombViscous(coulomb=30.0, viscous=25.0, transition_velocity=1e-3)
SLIDE = CoulombViscous(coulomb=30.0, viscous=25.0, transition_velocity=1e-3, rotary=False)


def test_sliding() -> None:
    assert evaluate(JOINT, v=0.5)["F"] == pytest.approx(42.5, rel=1e-5)
    assert evaluate(JOINT, v=-0.5)["F"] == pytest.approx(-42.5, rel=1e-5)
    assert evaluate(JOINT, v=0.0)["F"] == 0


@given(v=st.one_of(st.floats(-1e12, 1e12), st.sampled_from([0.0, 1e-300])))
def test_passive_and_finite(check_finite: Any, v: float) -> None:
    assert evaluate(JOINT, v=v)["F"] * v >= 0
    check_finite(JOINT, v=v)


def test_units(check_units: Any) -> None:
    check_units(SLIDE, v=0.002)
    assert (JOINT.inputs["v"].unit, SLIDE.inputs["v"].unit) == ("rad/s", "m/s")
