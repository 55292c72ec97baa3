import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.core.evaluate import evaluate
from gerotor.errors import ParameterError
from gerotor.hydraulics.resistance_valve import ResistanceValve

SETTINGS = {"conductance": 80e-3 / 60 / math.sqrt(35e5), "polynomial": (0.8, 0.3, -0.1), "closed_resistance": 1e18}
STICK = ResistanceValve(**SETTINGS, overlap=0.5, full_command=10.0)


def test_open_valve_passes_its_rated_flow() -> None:
    """80 L/min at 35 bar an edge: 7.127e-7 m^3/s/sqrt(Pa), 1.97e12 Pa s^2/m^6."""
    assert STICK.conductance == pytest.approx(7.127e-7, rel=1e-3)
    y = evaluate(STICK, u=10.0)
    assert y["R"] == pytest.approx(1.97e12, rel=1e-3)
    assert y["R"] * (80e-3 / 60) ** 2 == pytest.approx(35e5, rel=1e-9)


def test_half_way() -> None:
    r = (4 - 0.5) / 9.5
    g = STICK.conductance * (0.8 * r + 0.3 * r**2 - 0.1 * r**3)
    assert evaluate(STICK, u=-4.0)["R"] == pytest.approx(g**-2, rel=1e-12)


@pytest.mark.parametrize("u", [-0.5, -0.2, 0.0, 0.499])
def test_overlap_is_closed(u: float) -> None:
    y = evaluate(STICK, u=u)
    assert (y["R"], y["opened"]) == (pytest.approx(1e18), 0)


@given(st.floats(0, 12), st.floats(0, 2))
def test_even_and_falling_in_the_command(u: float, more: float) -> None:
    assert evaluate(STICK, u=u)["R"] == evaluate(STICK, u=-u)["R"]
    assert evaluate(STICK, u=u + more)["R"] <= evaluate(STICK, u=u)["R"]


def test_sources_follow_the_sign(check_units: Any) -> None:
    forward, backward = evaluate(STICK, u=1.0, ps=160e5, pt=2e5), evaluate(STICK, u=-1.0, ps=160e5, pt=2e5)
    assert (forward["p1"], forward["p2"]) == (backward["p2"], backward["p1"]) == (160e5, 2e5)
    assert forward["opened"] == backward["opened"] == 1
    check_units(STICK, u=3.0, ps=160e5, pt=2e5)


@given(st.floats(-1e12, 1e12))
def test_finite(check_finite: Any, u: float) -> None:
    check_finite(STICK, u=u, ps=1e12, pt=-1e12)


def test_overlap_beyond_full_command_is_refused() -> None:
    with pytest.raises(ParameterError, match="overlap = 10 V: must be below full_command = 10 V"):
        ResistanceValve(**SETTINGS, overlap=10.0, full_command=10.0)
