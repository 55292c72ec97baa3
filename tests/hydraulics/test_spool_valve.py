import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.core.evaluate import evaluate
from gerotor.errors import ParameterError
from gerotor.hydraulics.first_order_servo_valve import FirstOrderServoValve

RATING = {"rated_flow": 55e-3 / 60, "rated_drop": 70e5, "rated_current": 0.02, "time_constant": 0.003}
VALVE = FirstOrderServoValve(**RATING)
PRESSURES = st.floats(-1e9, 1e9)
SPOOL = st.floats(-1, 1)


def test_gain_and_rated_flow() -> None:
    """[kim2021, table 3]: 55 L/min; 35 bar an edge gives C_d = 4.900e-7."""
    assert VALVE.gain == pytest.approx(4.900e-7, rel=1e-4)
    y = evaluate(VALVE, x=1.0, p1=35e5, p2=35e5, ps=70e5, pt=0.0)
    assert y["Q1"] * 6e4 == pytest.approx(55, rel=1e-6)
    assert y["Q2"] * 6e4 == pytest.approx(-55, rel=1e-6)


def test_no_load_flow_is_symmetric() -> None:
    y = evaluate(VALVE, x=0.4, p1=7e6, p2=7e6, ps=14e6, pt=0.0)
    assert y["Q1"] == pytest.approx(VALVE.gain * 0.4 * math.sqrt(7e6), rel=1e-6)
    assert y["Q2"] == -y["Q1"]


@given(x=SPOOL, p1=PRESSURES, p2=PRESSURES)
def test_swapping_the_lines_swaps_the_flows(x: float, p1: float, p2: float) -> None:
    one = evaluate(VALVE, x=x, p1=p1, p2=p2, ps=14e6, pt=0.0)
    two = evaluate(VALVE, x=-x, p1=p2, p2=p1, ps=14e6, pt=0.0)
    assert (two["Q1"], two["Q2"]) == (one["Q2"], one["Q1"])


@given(x=SPOOL, p1=PRESSURES, p2=PRESSURES, ps=PRESSURES, pt=PRESSURES)
def test_oil_balance_and_loss(x: float, p1: float, p2: float, ps: float, pt: float) -> None:
    valve = FirstOrderServoValve(**RATING, overlap=-0.05)
    y = evaluate(valve, x=x, p1=p1, p2=p2, ps=ps, pt=pt)
    size = sum(abs(v) for k, v in y.items() if k[0] == "Q") + 1e-30
    assert abs(y["Qs"] - y["Q1"] - y["Q2"] - y["Qt"]) <= 1e-14 * size
    loss = ps * y["Qs"] - p1 * y["Q1"] - p2 * y["Q2"] - pt * y["Qt"]
    assert loss >= -1e-12 * size * 1e9


def test_overlap_shuts_and_underlap_bleeds() -> None:
    pressures = {"p1": 7e6, "p2": 7e6, "ps": 14e6, "pt": 0.0}
    shut = FirstOrderServoValve(**RATING, overlap=0.05)
    assert all(evaluate(shut, x=x, **pressures)["Qs"] == 0 for x in (-0.05, 0.0, 0.03))
    assert evaluate(shut, x=1.0, **pressures)["Q1"] == pytest.approx(VALVE.gain * math.sqrt(7e6), rel=1e-6)
    bleeding = evaluate(FirstOrderServoValve(**RATING, overlap=-0.05), x=0.0, **pressures)
    assert bleeding["Qs"] == pytest.approx(2 * VALVE.gain * 0.05 / 1.05 * math.sqrt(7e6), rel=1e-6)
    assert bleeding["Q1"] == pytest.approx(0, abs=1e-12)


def test_a_curve_an_edge() -> None:
    valve = FirstOrderServoValve(**RATING, curves=tuple(lambda r, k=k: r**k for k in (1, 2, 3, 4)))
    high = evaluate(valve, x=0.5, p1=7e6, p2=7e6, ps=14e6, pt=0.0)
    low = evaluate(valve, x=-0.5, p1=7e6, p2=7e6, ps=14e6, pt=0.0)
    full = VALVE.gain * math.sqrt(7e6)
    assert [high["Q1"], -low["Q1"], low["Q2"], -high["Q2"]] == pytest.approx([full * 0.5**k for k in (1, 2, 3, 4)], rel=1e-6)


def test_three_curves_are_refused() -> None:
    with pytest.raises(ParameterError, match="has 3 curves: give none, one for all edges, or four"):
        FirstOrderServoValve(**RATING, curves=(abs, abs, abs))


@given(x=st.floats(-1e6, 1e6), p1=st.floats(-1e12, 1e12), i=st.floats(-1e12, 1e12))
def test_finite(check_finite: Any, x: float, p1: float, i: float) -> None:
    check_finite(VALVE, x=x, p1=p1, p2=-p1, ps=14e6, pt=0.0, i=i)


def test_units(check_units: Any) -> None:
    check_units(VALVE, x=0.3, p1=5e6, p2=4e6, ps=14e6, pt=1e5, i=0.01)
