import math

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.contact.arc import direction, half_angle

R, RO, RI = 0.150, 0.030, 0.0245
D = ca.SX.sym("d")
ANGLE = ca.Function("theta", [D], [half_angle(D, R, RO), half_angle(D, R, RI)])
SLOPE = ANGLE.jacobian()


@pytest.mark.parametrize(
    ("d", "outer", "inner"),
    [(0.181, False, False), (0.177, True, False), (0.150, True, True), (0.123, True, False), (0.119, False, False)],
)
def test_five_regimes(d: float, outer: bool, inner: bool) -> None:
    theta_out, theta_in = (float(v) for v in ANGLE(d))
    assert (theta_out > 0, theta_in > 0) == (outer, inner)
    assert theta_in <= theta_out


def test_disc_inside_the_bore_is_all_within() -> None:
    assert half_angle(0.01, 0.1, 0.2) == pytest.approx(math.pi)


@given(st.floats(0.1201, 0.1799), st.floats(-math.pi, math.pi))
def test_arc_ends_lie_on_both_circles(d: float, psi: float) -> None:
    y, z = d * math.cos(psi), d * math.sin(psi)
    theta = float(ANGLE(d)[0])
    for sign in (1, -1):
        end = R * np.array([math.cos(psi + sign * theta), math.sin(psi + sign * theta)])
        assert np.hypot(*(end - [y, z])) == pytest.approx(RO, abs=1e-12)


@pytest.mark.parametrize("d", [1e-9, R - RO, np.nextafter(R - RO, 1), R + RI, R + RO, np.nextafter(R + RO, 0), 1e9])
def test_derivatives_are_finite_where_circles_touch(d: float) -> None:
    assert np.isfinite(np.array([float(v) for v in SLOPE(d, 0, 0)])).all()


def test_direction() -> None:
    y, z = ca.SX.sym("y"), ca.SX.sym("z")
    f = ca.Function("f", [y, z], list(direction(y, z, R)))
    for sign in (1, -1):
        d, psi = f(3e-3, sign * 4e-3)
        assert (float(d), float(psi)) == pytest.approx((5e-3, sign * math.atan2(4, 3)))
    assert np.isfinite([float(v) for v in f(0, 0)]).all()
    assert np.isfinite([float(v) for v in f.jacobian()(0, 0, 0, 0)]).all()
