import casadi as ca
import numpy as np
import pytest

from gerotor.errors import ParameterError
from gerotor.maths.pose import Pose
from gerotor.mechanics.body import Body


def test_three_ways_to_write_an_inertia():
    full = [[3, 0.1, 0.2], [0.1, 4, 0.3], [0.2, 0.3, 5]]
    six = Body(1, (0, 0, 0), (3, 4, 5, 0.1, 0.2, 0.3)).inertia
    np.testing.assert_array_equal(np.array(ca.DM(six)), full)
    np.testing.assert_array_equal(np.array(ca.DM(Body(1, (0, 0, 0), np.array(full)).inertia)), full)
    np.testing.assert_array_equal(np.array(ca.DM(Body(1, inertia=full).inertia)), full)
    np.testing.assert_array_equal(np.array(ca.DM(Body(1, inertia=(3, 4, 5)).inertia)), np.diag([3, 4, 5]))


@pytest.mark.parametrize(("arguments", "words"), [
    ((-1.0,), "body.mass = -1 kg: must be at least 0"),
    ((float("nan"),), "must be a finite number"),
    ((1, (0, 0, 0), (1, 1, 3)), "principal moments 1, 1, 3 kg m.2"),
    ((1, (0, 0, 0), (-1, 1, 1)), "none may be negative"),
    ((1, (0, 0, 0), (1, 1, 1, 2, 0, 0)), "principal moments -1, 1, 3"),
    ((1, (0, 0), (1, 1, 1)), "body.com: needs 3 coordinates, got 2"),
    ((1, (0, 0, float("inf")), (1, 1, 1)), "body.com.2. = inf m: must be a finite number"),
    ((1, (0, 0, 0), (1, 1)), "body.inertia has 2 values"),
    ((1, (0, 0, 0), [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]), "must be symmetric"),
])
def test_impossible_bodies_are_refused(arguments, words):
    with pytest.raises(ParameterError, match=words):
        Body(*arguments)


def test_flat_plate_and_point_mass_are_allowed():
    Body(1, (0, 0, 0), (1, 1, 2))
    Body(1)


def test_moments_of_two_point_masses():
    """1 kg at (1, 0, 0) and 1 kg at (3, 0, 0), moved by (0, 2, 0) and turned a quarter about z: at (0, 3, 0), (0, 5, 0)."""
    body = Body(2, (2, 0, 0), (0, 2, 2))
    m, h, s = body.moments(Pose.at(0, 2, 0, yaw=np.pi / 2))
    assert float(m) == 2
    np.testing.assert_allclose(np.array(ca.DM(h)).ravel(), [0, 8, 0], atol=1e-15)
    np.testing.assert_allclose(np.array(ca.DM(s)), np.diag([0, 9 + 25, 0]), atol=1e-14)


def test_mass_may_be_a_symbol_and_inertia_scales_along():
    m = ca.SX.sym("m")
    heavier = Body(2.0, (0, 0, 0), (1, 1, 1)).with_mass(m)
    assert float(ca.Function("f", [m], [heavier.inertia[0, 0]])(6)) == 3
    assert float(ca.DM(Body(0.0, inertia=(1, 1, 1)).with_mass(5.0).inertia[0, 0])) == 1
