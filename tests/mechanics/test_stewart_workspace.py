"""Workspace figures of the reference rig, and a pose that is singular by construction."""

import itertools

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gerotor.errors import NoSolutionError
from gerotor.mechanics.stewart import StewartGeometry
from gerotor.mechanics.stewart_workspace import check_pose, condition_number, survey

ANGLE = np.radians(12)
RIG = StewartGeometry.paired(base_radius=1.30, base_angle=ANGLE, platform_radius=0.80, platform_angle=ANGLE)
HOME = (0.0, 0.0, 1.5, 0.0, 0.0, 0.0)


def test_stroke_over_the_box():
    reach = (0.1, 0.1, 0.1, np.radians(5), np.radians(5), np.radians(5))
    found = survey(RIG, HOME, reach, radius=1.0)
    shortest, longest = np.inf, 0.0
    for sign in itertools.product((-1, 0, 1), repeat=6):
        turn = Rotation.from_euler("xyz", np.radians(5) * np.array(sign[3:])).as_matrix()
        legs = np.array([0, 0, 1.5]) + 0.1 * np.array(sign[:3]) + np.array(RIG.platform) @ turn.T - np.array(RIG.base)
        lengths = np.linalg.norm(legs, axis=1)
        shortest, longest = min(shortest, lengths.min()), max(longest, lengths.max())
    assert found.shortest == pytest.approx(shortest, abs=1e-12)
    assert found.longest == pytest.approx(longest, abs=1e-12)
    assert found.longest - found.shortest < 2 * 0.28
    assert found.condition < 3.3


def test_quarter_turn_is_singular():
    turned = (0.0, 0.0, 1.5, 0.0, 0.0, np.pi / 2)
    assert condition_number(RIG, turned, 0.8) > 1e12
    with pytest.raises(NoSolutionError, match="singularity"):
        check_pose(RIG, turned, shortest=0.5, longest=5.0, radius=0.8)


def test_stroke_limit_is_named():
    check_pose(RIG, HOME, shortest=1.4, longest=2.0, radius=0.8)
    with pytest.raises(NoSolutionError, match="leg 1"):
        check_pose(RIG, (0, 0, 2.5, 0, 0, 0), shortest=1.4, longest=2.0, radius=0.8)
