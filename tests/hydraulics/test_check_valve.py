from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.core.evaluate import evaluate
from gerotor.hydraulics.check_valve import CheckValve

CHECK = CheckValve(gain=1e-6, cracking_pressure=0.5e5)


def test_open_is_an_orifice() -> None:
    assert evaluate(CHECK, p1=4.5e5, p2=0.0)["Q"] == pytest.approx(1e-6 * (4e5) ** 0.5, rel=1e-4)


@given(p1=st.floats(-1e12, 1e12), p2=st.floats(-1e12, 1e12))
def test_shut_is_shut_and_finite(check_finite: Any, p1: float, p2: float) -> None:
    Q = evaluate(CHECK, p1=p1, p2=p2)["Q"]
    assert Q == 0 if p1 - p2 <= 0.5e5 else Q >= 0
    check_finite(CHECK, p1=p1, p2=p2)


def test_units(check_units: Any) -> None:
    check_units(CHECK, p1=4.5e5, p2=1e5)
