import math
from typing import Any

import casadi as ca
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.core.component import Signals
from gerotor.core.evaluate import evaluate
from gerotor.errors import ParameterError
from gerotor.hydraulics.metering_valve import MeteringValve
from gerotor.maths.bspline import BSpline

GAIN = 0.5 * 1.96e-6 * math.sqrt(2 / 869)  # Cd A sqrt(2 / rho) of [khadim2021, table 1]
SITES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
LINE = BSpline(SITES, [0, 0.19, 0.38, 0.57, 0.76, 0.95])
VALVE = MeteringValve(gain=GAIN, coefficients=(LINE,) * 4)
PRESSURES = st.floats(-1e9, 1e9)


def test_full_spool_flow() -> None:
    """95 percent of 4.701e-8 m^3/s/sqrt(Pa) at 6.6 MPa: 1.15e-4 m^3/s."""
    assert pytest.approx(4.7014e-8, rel=1e-4) == GAIN
    y = evaluate(VALVE, x=1.0, ps=7.6e6, p1=1e6, p2=2.451e6, pt=0.1e6)
    assert y["Q1"] == pytest.approx(1.147e-4, rel=1e-3)
    assert y["Q2"] == pytest.approx(-0.95 * GAIN * math.sqrt(2.351e6), rel=1e-4)


def test_centre_is_shut() -> None:
    y = evaluate(VALVE, x=0.0, ps=7.6e6, p1=1e6, p2=2.451e6, pt=0.1e6)
    assert set(y.values()) == {0.0}


@given(x=st.floats(-1, 1), p1=PRESSURES, p2=PRESSURES, ps=PRESSURES, pt=PRESSURES)
def test_oil_balance_and_loss(x: float, p1: float, p2: float, ps: float, pt: float) -> None:
    y = evaluate(VALVE, x=x, p1=p1, p2=p2, ps=ps, pt=pt)
    size = sum(abs(v) for v in y.values()) + 1e-30
    assert abs(y["Qs"] - y["Q1"] - y["Q2"] - y["Qt"]) <= 1e-14 * size
    assert ps * y["Qs"] - p1 * y["Q1"] - p2 * y["Q2"] - pt * y["Qt"] >= -1e-3 * size


def test_each_edge_has_its_own_curve() -> None:
    curves = tuple(BSpline(SITES, [0, 0, 0, c, c, c], 2) for c in (0.1, 0.2, 0.3, 0.4))
    valve = MeteringValve(gain=1e-8, coefficients=curves)
    ports = {"p1": 5e6, "p2": 5e6, "ps": 10e6, "pt": 0.0}
    root = 0.7e-8 * math.sqrt(5e6)
    forward, backward = evaluate(valve, x=0.7, **ports), evaluate(valve, x=-0.7, **ports)
    flows = [forward["Q1"], -backward["Q1"], backward["Q2"], -forward["Q2"]]
    assert [q / root for q in flows] == pytest.approx([0.1, 0.2, 0.3, 0.4], rel=1e-6)


def test_ordinates_may_be_symbols() -> None:
    y = ca.SX.sym("y", 4)
    curve = BSpline(SITES, [0.0, *ca.vertsplit(y), 0.95])
    valve = MeteringValve(gain=GAIN, coefficients=(curve, LINE, LINE, LINE))
    flow = valve.output(Signals(), Signals(x=0.5, p1=1e6, p2=2e6, ps=7e6, pt=1e5)).Q1
    slope = ca.Function("s", [y], [ca.jacobian(flow, y)])([0.19, 0.38, 0.57, 0.76])
    assert float(ca.norm_1(slope)) > 0
    assert ca.symvar(ca.jacobian(flow, y)) == []


def test_units_and_count(check_units: Any) -> None:
    check_units(VALVE, x=0.4, p1=1e6, p2=2e6, ps=7e6, pt=1e5)
    with pytest.raises(ParameterError, match="has 1 curves: give four"):
        MeteringValve(gain=GAIN, coefficients=(LINE,))


@given(x=st.floats(-1e6, 1e6), p=st.floats(-1e12, 1e12))
def test_finite(check_finite: Any, x: float, p: float) -> None:
    check_finite(VALVE, x=x, p1=p, p2=-p, ps=7e6, pt=0.0)
