import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.core.evaluate import evaluate
from gerotor.hydraulics.switched_chamber import SwitchedChamber

CHAMBER = SwitchedChamber(capacitance=1.65e-12, turbulent_resistance=2e11)


def test_open_orifice_fills_it() -> None:
    """60 bar across 1.97e12 Pa s^2/m^6 pass 1.745e-3 m^3/s."""
    y = evaluate(CHAMBER, p=100e5, p0=160e5, R=1.97e12, opened=1.0, Qa=1e-3)
    flow = math.sqrt(60e5 / 1.97e12)
    assert y["Q"] == pytest.approx(flow, rel=1e-6)
    assert y["d_p"] == pytest.approx((flow - 1e-3) / 1.65e-12, rel=1e-6)
    assert y["pa"] == pytest.approx(100e5 - 2e11 * 1e-6)


def test_closed_it_feels_the_motion_only() -> None:
    y = evaluate(CHAMBER, p=100e5, p0=160e5, R=1e18, opened=0.0, Qa=-1e-5)
    assert (y["Q"], y["d_p"]) == (0, pytest.approx(1e-5 / 1.65e-12))


@given(p=st.floats(-1e12, 1e12), opened=st.sampled_from([0.0, 1.0]))
def test_finite(check_finite: Any, p: float, opened: float) -> None:
    check_finite(CHAMBER, p=p, p0=-p, R=1e18, opened=opened, Qa=1.0)


def test_units(check_units: Any) -> None:
    check_units(CHAMBER, p=1e6, p0=3e6, R=2e12, opened=1.0, Qa=2e-4)
