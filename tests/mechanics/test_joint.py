import casadi as ca
import numpy as np
import pytest

from gerotor.errors import ParameterError
from gerotor.mechanics.joint import Joint


@pytest.mark.parametrize("axis", [*np.eye(3), *-np.eye(3), [1, 2, 3], [-1, 1, 0], [1e-7, 0, -1], [1e-14, 0, 1]])
def test_alignment_takes_z_to_the_axis(axis):
    a = np.array(ca.DM(Joint(name="j", kind="revolute", axis=axis).alignment))
    np.testing.assert_allclose(a @ [0, 0, 1], np.array(axis) / np.linalg.norm(axis), atol=1e-13)
    np.testing.assert_allclose(a @ a.T, np.eye(3), atol=1e-14)
    assert np.linalg.det(a) == pytest.approx(1)


def test_units():
    assert (Joint(name="j", kind="prismatic").unit, Joint(name="j", kind="prismatic").force_unit) == ("m", "N")
    assert (Joint(name="j", kind="revolute").unit, Joint(name="j", kind="revolute").force_unit) == ("rad", "N*m")


@pytest.mark.parametrize(("options", "words"), [
    ({"kind": "ball"}, "j.kind = 'ball': must be revolute, prismatic or fixed"),
    ({"axis": (0, 0, 0)}, "not all 0"),
    ({"axis": (0, 1)}, "must be 3 finite numbers"),
    ({"lower": 1, "upper": 0}, "lower = 1 rad: at most upper = 0 rad"),
    ({"lower": float("nan")}, "at most"),
    ({"velocity": -1}, "j.velocity = -1 rad/s: must be above 0"),
    ({"effort": 0}, "j.effort = 0 N.m: must be above 0"),
    ({"rotor_inertia": -2}, "j.rotor_inertia = -2 kg m.2: must be at least 0"),
])
def test_impossible_joints_are_refused(options, words):
    with pytest.raises(ParameterError, match=words):
        Joint(**{"name": "j", "kind": "revolute", **options})
