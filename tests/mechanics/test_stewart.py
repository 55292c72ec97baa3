"""Kinematics of the parallel platform against printed joints, automatic differentiation and round trips."""

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gerotor.errors import NoSolutionError, ParameterError
from gerotor.mechanics.stewart import StewartGeometry

RIG = StewartGeometry.paired(base_radius=1.30, base_angle=np.radians(12), platform_radius=0.80, platform_angle=np.radians(12))
HOME = (0.0, 0.0, 1.5, 0.0, 0.0, 0.0)
ODD = StewartGeometry(
    base=tuple((b[0] * 1.1, b[1] + 0.05, 0.02 * k) for k, b in enumerate(RIG.base)),
    platform=tuple((a[0] - 0.03, a[1] * 0.9, -0.01 * k) for k, a in enumerate(RIG.platform)),
)


def test_joints_and_home_length_of_the_reference_rig():
    np.testing.assert_allclose(np.array(RIG.base)[:3, :2], [[1.2716, 0.2703], [-0.4017, 1.2364], [-0.8699, 0.9661]], atol=5e-5)
    np.testing.assert_allclose(np.array(RIG.platform)[:3, :2], [[0.5353, 0.5945], [0.2472, 0.7608], [-0.7825, 0.1663]], atol=5e-5)
    mirrored = np.array(RIG.base)[::-1] * [1, -1, 1]
    np.testing.assert_allclose(mirrored, RIG.base, atol=1e-12)
    np.testing.assert_allclose(RIG.inverse(HOME), 1.7021, atol=5e-5)
    np.testing.assert_allclose(1.5 / RIG.inverse(HOME), 0.8812, atol=7e-5)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-1, 1), min_size=6, max_size=6), st.sampled_from([RIG, ODD]))
def test_forward_undoes_inverse(part, geometry):
    pose = np.array(HOME) + np.array(part) * [0.1, 0.1, 0.1, 0.08, 0.08, 0.08]
    np.testing.assert_allclose(geometry.forward(geometry.inverse(pose), HOME), pose, atol=1e-10)


@pytest.mark.parametrize("geometry", [RIG, ODD])
def test_jacobian_is_the_derivative_of_the_lengths(geometry):
    q = ca.SX.sym("q", 6)
    both = ca.Function("j", [q], [ca.jacobian(geometry.lengths(q), q), geometry.jacobian(q) @ geometry.rate_map(q)])
    for pose in (HOME, (0.05, -0.08, 1.45, 0.1, -0.2, 0.3)):
        by_differentiation, by_formula = both(pose)
        np.testing.assert_allclose(np.asarray(by_differentiation), np.asarray(by_formula), atol=1e-13)


def test_one_newton_step_follows_a_sample_of_motion():
    pose = np.array([0.01, -0.02, 1.49, 0.01, 0.02, -0.01])
    moved = pose + 3e-4
    q, l = ca.SX.sym("q", 6), ca.SX.sym("l", 6)
    step = ca.Function("s", [l, q], [RIG.forward_step(l, q)])
    assert np.abs(np.asarray(step(RIG.inverse(moved), pose)).ravel() - moved).max() < 1e-6


def test_impossible_and_malformed_requests_are_refused():
    with pytest.raises(NoSolutionError, match="no pose"):
        RIG.forward([1.7, 1.7, 1.7, 1.7, 1.7, 9.0], HOME)
    with pytest.raises(NoSolutionError, match="six finite"):
        RIG.forward([1.7, float("nan"), 1.7, 1.7, 1.7, 1.7], HOME)
    with pytest.raises(ParameterError, match="six of each"):
        StewartGeometry(RIG.base[:5], RIG.platform)
    with pytest.raises(ParameterError, match="finite"):
        StewartGeometry((*RIG.base[:5], (float("inf"), 0.0, 0.0)), RIG.platform)
