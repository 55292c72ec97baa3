"""Where the frames of a tree are and how they move, in base axes.

    R = R_parent E Rz(q),   p = p_parent + R_parent p_i(q)                               (1)
    J = [z x (p - o); z] revolute,  [z; 0] prismatic,  one column a joint of the path    (2)
    (linear; angular) velocity = J v                                                     (3)

Source: [siciliano2009, sec. 3.1].
"""

from __future__ import annotations

import casadi as ca

from gerotor.core.component import Expression
from gerotor.maths.pose import Pose
from gerotor.maths.rotation import cross, vector
from gerotor.mechanics.tree import Tree


def frame_pose(tree: Tree, frame: str | None, q: Expression) -> Pose:
    """Pose of a frame (or a joint's body frame) in the base."""
    link, local = tree.place(frame)
    rotation, origin = _link_poses(tree, link, q)[-1] if link >= 0 else (ca.SX.eye(3), ca.SX.zeros(3))
    return Pose(rotation @ local.rotation, origin + rotation @ local.translation)


def position(tree: Tree, frame: str | None, q: Expression) -> Expression:
    """Origin of a frame in base axes."""
    link, local = tree.place(frame)
    if link < 0:
        return local.translation
    rotation, origin = _link_poses(tree, link, q)[-1]
    return origin + rotation @ local.translation


def jacobian(tree: Tree, frame: str | None, q: Expression) -> Expression:
    """Geometric Jacobian, 6 x n: linear velocity of the frame's origin, then angular velocity, base axes."""
    out = ca.SX(6, tree.size)
    link, local = tree.place(frame)
    if link < 0:
        return out
    poses = _link_poses(tree, link, q)
    p = poses[-1][1] + poses[-1][0] @ local.translation
    for i, (rotation, origin) in zip(tree.path(link), poses, strict=True):
        z = rotation[:, 2]
        if tree.links[i].revolute:
            out[:, i] = ca.vertcat(cross(z, p - origin), z)  # (2)
        else:
            out[:3, i] = z  # (2)
    return ca.sparsify(out)


def frame_velocity(tree: Tree, frame: str | None, q: Expression, v: Expression) -> tuple[Expression, Expression]:
    """Linear velocity of a frame's origin and angular velocity, base axes."""
    twist = ca.densify(jacobian(tree, frame, q) @ vector(v))  # (3)
    return twist[:3], twist[3:]


def _link_poses(tree: Tree, link: int, q: Expression) -> list[tuple[Expression, Expression]]:
    """Rotation and origin of every link on the path to `link`."""
    q = vector(q)
    rotation, origin = ca.densify(ca.SX.eye(3)), ca.SX.zeros(3)
    out: list[tuple[Expression, Expression]] = []
    for i in tree.path(link):
        x = tree.links[i].at(q[i])
        origin = origin + rotation @ x.offset  # (1)
        rotation = x.rotation(rotation)  # (1)
        out.append((rotation, origin))
    return out
