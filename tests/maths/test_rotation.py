import casadi as ca
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from gerotor.maths import rotation as ro

angle = st.floats(-7, 7)
coordinate = st.floats(-1, 1)


def numbers(expression):
    return np.array(ca.DM(expression))


@given(angle, angle, angle)
@settings(max_examples=50, deadline=None)
def test_against_scipy(a, b, c):
    np.testing.assert_allclose(numbers(ro.rotation_rpy(a, b, c)), Rotation.from_euler("xyz", [a, b, c]).as_matrix(), atol=2e-15)
    for k, turn in enumerate((ro.rotation_x, ro.rotation_y, ro.rotation_z)):
        np.testing.assert_allclose(numbers(turn(a)), Rotation.from_rotvec(a * np.eye(3)[k]).as_matrix(), atol=2e-15)
        np.testing.assert_allclose(numbers(ro.rotation_about(np.eye(3)[k], a)), numbers(turn(a)), atol=2e-15)


@given(st.tuples(coordinate, coordinate, coordinate).filter(lambda e: np.linalg.norm(e) > 1e-3), st.floats(0, np.pi))
@settings(max_examples=100, deadline=None)
def test_rotation_vector_up_to_half_a_turn(axis, turn):
    r = np.array(axis) / np.linalg.norm(axis) * turn
    matrix = Rotation.from_rotvec(r).as_matrix()
    np.testing.assert_allclose(numbers(ro.rotation_exponential(r)), matrix, atol=3e-15)
    back = numbers(ro.rotation_vector(matrix)).ravel()
    np.testing.assert_allclose(Rotation.from_rotvec(back).as_matrix(), matrix, atol=1e-14)
    assert np.linalg.norm(back) == pytest.approx(turn, abs=3e-8)
    q = numbers(ro.quaternion(matrix)).ravel()
    assert q[0] >= 0
    np.testing.assert_allclose(numbers(ro.rotation_quaternion(q)), matrix, atol=1e-14)


@pytest.mark.parametrize("r", [(0, 0, 0), (1e-12, 0, 0), (1e-5, -1e-5, 2e-6), (np.pi, 0, 0), (0, np.pi, 0), (0, 0, np.pi)])
def test_rotation_vector_at_the_ends(r):
    back = numbers(ro.rotation_vector(Rotation.from_rotvec(r).as_matrix())).ravel()
    sign = np.sign(back @ r) or 1
    np.testing.assert_allclose(sign * back, r, atol=1e-15, rtol=1e-10)


def test_slope_of_the_rotation_vector_at_zero_is_one():
    r = ca.SX.sym("r", 3)
    slope = ca.Function("f", [r], [ca.jacobian(ro.rotation_vector(ro.rotation_exponential(r)), r)])
    for point in (np.zeros(3), [1e-9, 0, 0], [0.3, -0.2, 0.1]):
        np.testing.assert_allclose(np.array(slope(point)), np.eye(3), atol=1e-7)


def test_products_and_crosses():
    rng = np.random.default_rng(0)
    a, b = Rotation.random(2, random_state=1)
    qa, qb = (np.roll(r.as_quat(), 1) for r in (a, b))
    np.testing.assert_allclose(numbers(ro.rotation_quaternion(ro.quaternion_product(qa, qb))), (a * b).as_matrix(), atol=1e-15)
    u, w = rng.normal(size=(2, 3))
    np.testing.assert_allclose(numbers(ro.cross(ro.vector(u), ro.vector(w))).ravel(), np.cross(u, w))
    np.testing.assert_allclose(numbers(ro.skew(ro.vector(u)) @ ro.vector(w)).ravel(), np.cross(u, w))


def test_right_angles_are_exact():
    m = numbers(ro.rotation_x(-np.pi / 2) @ ro.rotation_z(np.pi / 2))
    assert set(np.unique(m)) == {-1.0, 0.0, 1.0}
