import casadi as ca
import numpy as np

from gerotor.maths.pose import Pose
from gerotor.mechanics.body import Body
from gerotor.mechanics.frame import Frame, Payload
from gerotor.mechanics.inverse_dynamics import inverse_dynamics
from gerotor.mechanics.joint import Joint
from gerotor.mechanics.kinematics import position
from gerotor.mechanics.tree import Tree


def test_payload_at_a_frame_is_a_pendulum():
    """3 kg, 2 m out along x, turning about y: holding torque -m g L cos(q), and m L^2 + I a accelerates it."""
    hinge = Joint(name="hinge", kind="revolute", axis=(0, 1, 0))
    tip = Frame("tip", "hinge", Pose.at(2, 0, 0, yaw=np.pi / 2))
    tree = Tree("t", (hinge,), (0, 0, -9.81), frames=(tip,), payloads=(Payload("p", "tip", Body(3.0, inertia=(0.5, 0.2, 0.6))),))
    q = 0.4
    tau = float(inverse_dynamics(tree, [q], [1.7], [2.0]))
    np.testing.assert_allclose(tau, -3 * 9.81 * 2 * np.cos(q) + (3 * 4 + 0.5) * 2.0, rtol=1e-13)
    np.testing.assert_allclose(np.array(ca.DM(position(tree, "tip", [q]))).ravel(), [2 * np.cos(q), 0, -2 * np.sin(q)])


def test_frame_on_the_base_stands_still():
    tree = Tree("t", (Joint(name="a", kind="prismatic"),), (0, 0, 0), frames=(Frame("post", None, Pose.at(1, 2, 3)),))
    np.testing.assert_array_equal(np.array(ca.DM(position(tree, "post", [0.7]))).ravel(), [1, 2, 3])
