import casadi as ca
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gerotor.core.component import Signals
from gerotor.errors import ParameterError
from gerotor.mechanics.end_stop import EndStops
from gerotor.mechanics.joint import Joint
from gerotor.mechanics.tree import Tree

SLIDE = Tree(
    "t", (Joint(name="s", kind="prismatic", lower=0.0, upper=0.4), Joint(name="free", kind="revolute", parent="s")), (0, 0, 0)
)
STOPS = EndStops(tree=SLIDE, stiffness=(1e6, 1.0), damping=(1e4, 1.0), width=(0.002, 1.0))
_q, _v = ca.SX.sym("q", 2), ca.SX.sym("v", 2)
_tau = STOPS.output(Signals(), Signals(q=_q, v=_v)).tau
TAU = ca.Function("tau", [_q, _v], [_tau, ca.jacobian(_tau, ca.vertcat(_q, _v))])


def force(q, v=0.0):
    return float(TAU([q, 5.0], [v, 5.0])[0][0])


def test_static_force():
    """Deep in the pad: k (depth - w/2) less the k w / 2 of the outer ramp; zero inside the range."""
    assert force(0.2) == force(0.0) == force(0.4) == 0
    assert force(0.41) == pytest.approx(-(1e6 * (0.01 - 0.001) - 1e6 * 0.002 / 2))
    assert force(-0.01) == pytest.approx(8000)


@given(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9))
@settings(max_examples=200, deadline=None)
def test_pushes_back_or_not_at_all(q, v):
    f = force(q, v)
    assert np.isfinite(f)
    assert np.all(np.isfinite(np.array(TAU([q, 0], [v, 0])[1])))
    if q <= 0:
        assert f >= 0
    elif q < 0.4:
        assert f == 0
    else:
        assert f <= 0


def test_rebound_does_not_stick():
    assert force(0.405, -10.0) == 0
    assert force(0.405, 0.1) < force(0.405) < 0


def test_slope_is_continuous():
    for edge in (0.4, 0.402, 0.403):
        left, right = (np.array(TAU([edge + e, 0], [0.01, 0])[1])[0, 0] for e in (-1e-9, 1e-9))
        assert left == pytest.approx(right, abs=2.0)


def test_a_free_joint_has_no_stop_and_counts_are_checked():
    assert float(TAU([0.2, 1e6], [0, 0])[0][1]) == 0
    with pytest.raises(ParameterError, match=r"EndStops\.damping has 1 values: t has 2 moving joints"):
        EndStops(tree=SLIDE, stiffness=(1.0, 1.0), damping=(1.0,), width=(1.0, 1.0))
    with pytest.raises(ParameterError, match=r"width\[1\] = 0"):
        EndStops(tree=SLIDE, stiffness=(1.0, 1.0), damping=(1.0, 1.0), width=(1.0, 0.0))
