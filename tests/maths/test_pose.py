import casadi as ca
import numpy as np
import pytest

from gerotor.errors import ParameterError
from gerotor.maths.pose import Pose


def homogeneous(pose):
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = np.array(ca.DM(pose.rotation)), np.array(ca.DM(pose.translation)).ravel()
    return out


def test_composition_is_the_product_of_homogeneous_matrices():
    a = Pose.at(1, 2, 3, roll=0.1, pitch=0.2, yaw=0.3)
    b = Pose.at(-1, 0.5, 2, roll=-1.1, pitch=0.7, yaw=2.3)
    np.testing.assert_allclose(homogeneous(a @ b), homogeneous(a) @ homogeneous(b), atol=1e-14)
    np.testing.assert_allclose(homogeneous(a.inverse()), np.linalg.inv(homogeneous(a)), atol=1e-14)
    np.testing.assert_allclose(np.array(ca.DM(a.apply((1, 1, 1)))).ravel(), (homogeneous(a) @ [1, 1, 1, 1])[:3], atol=1e-14)


def test_symbols_pass_through():
    x = ca.SX.sym("x")
    assert float(ca.Function("f", [x], [Pose.at(x, 0, 0, yaw=x).apply((1, 0, 0))])(0.5)[0]) == pytest.approx(0.5 + np.cos(0.5))


@pytest.mark.parametrize("bad", [np.diag([1, 1, -1]), np.diag([2, 1, 1]), np.full((3, 3), np.nan)])
def test_no_rotation_is_refused(bad):
    with pytest.raises(ParameterError, match="right-handed rotation"):
        Pose(bad)


def test_wrong_shapes_are_refused():
    with pytest.raises(ParameterError, match="3 coordinates"):
        Pose(translation=(1, 2))
    with pytest.raises(ParameterError, match="finite"):
        Pose(translation=(1, 2, np.inf))
