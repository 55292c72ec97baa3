"""Random trees and the same trees in Pinocchio and MuJoCo."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import mujoco
import numpy as np
import pinocchio as pin

from gerotor.maths.pose import Pose
from gerotor.mechanics.body import Body
from gerotor.mechanics.frame import Frame
from gerotor.mechanics.joint import Joint
from gerotor.mechanics.tree import Tree

GRAVITY = (0.3, -0.7, -9.81)


def random_rotation(rng):
    q = rng.normal(size=4)
    w, x, y, z = q / np.linalg.norm(q)
    return pin.Quaternion(w, x, y, z).toRotationMatrix()


def random_inertia(rng, mass):
    points = rng.normal(size=(5, 3)) * 0.3
    points -= points.mean(axis=0)
    second = mass * points.T @ points / 5
    return np.trace(second) * np.eye(3) - second


def random_tree(seed: int, size: int) -> Tree:
    rng = np.random.default_rng(seed)
    joints: list[Joint] = []
    for k in range(size):
        mass = float(rng.uniform(0.5, 20))
        joints.append(Joint(
            name=f"j{k}",
            kind=str(rng.choice(["revolute", "prismatic", "fixed"], p=[0.55, 0.25, 0.2])) if k else "revolute",
            parent=None if k == 0 or rng.random() < 0.1 else f"j{rng.integers(max(0, k - 3), k)}",
            placement=Pose(random_rotation(rng) if rng.random() < 0.7 else np.eye(3)[[1, 2, 0]], rng.normal(size=3) * 0.5),
            axis=rng.normal(size=3) if rng.random() < 0.5 else np.eye(3)[rng.integers(3)] * rng.choice([-1, 1]),
            body=Body(mass, rng.normal(size=3) * 0.3, random_inertia(rng, mass)),
            rotor_inertia=float(rng.choice([0.0, 2.5])),
        ))
    tip = Frame("tip", f"j{size - 1}", Pose(random_rotation(rng), rng.normal(size=3)))
    return Tree("random", tuple(joints), GRAVITY, frames=(tip,))


def numbers(expression):
    return np.array(ca.DM(expression))


@dataclass
class Peer:
    """tau(q, v, a), M(q), linear-then-angular Jacobian of the frame `tip`."""

    tau: object
    mass: object
    jacobian: object


def _depth_first(tree: Tree, parent: str | None = None) -> list[Joint]:
    """Pinocchio wants every subtree in one piece."""
    return [k for j in tree.joints if j.parent == parent for k in [j, *_depth_first(tree, j.name)]]


def _se3(pose: Pose) -> pin.SE3:
    return pin.SE3(numbers(pose.rotation), numbers(pose.translation).ravel())


def pinocchio_peer(tree: Tree) -> Peer:
    model = pin.Model()
    model.gravity.linear = np.array(GRAVITY)
    at = {None: (0, pin.SE3.Identity())}
    order = {}
    for joint in _depth_first(tree):
        parent, pose = at[joint.parent]
        here = pose * _se3(joint.placement)
        if joint.moves:
            kind = pin.JointModelRevoluteUnaligned if joint.kind == "revolute" else pin.JointModelPrismaticUnaligned
            index = model.addJoint(parent, kind(np.array(joint.axis)), here, joint.name)
            order[joint.name] = index
            at[joint.name] = (index, pin.SE3.Identity())
        else:
            at[joint.name] = (parent, here)
        index, inner = at[joint.name]
        b = joint.body
        model.appendBodyToJoint(index, pin.Inertia(float(b.mass), numbers(b.com).ravel(), numbers(b.inertia)), inner)
    frame = tree.frames[0]
    index, inner = at[frame.joint]
    tip = model.addFrame(pin.Frame("tip", index, inner * _se3(frame.placement), pin.OP_FRAME))
    perm = [model.joints[order[n]].idx_v for n in tree.names]
    rotor = numbers(tree.rotor_inertia).ravel()
    data = model.createData()

    def put(x):
        out = np.zeros(model.nv)
        out[perm] = x
        return out

    def mass(q):
        m = pin.crba(model, data, put(q))
        m = np.triu(m) + np.triu(m, 1).T
        return m[np.ix_(perm, perm)] + np.diag(rotor)

    def jacobian(q):
        return pin.computeFrameJacobian(model, data, put(q), tip, pin.LOCAL_WORLD_ALIGNED).reshape(6, -1)[:, perm]

    return Peer(lambda q, v, a: pin.rnea(model, data, put(q), put(v), put(a))[perm] + rotor * a, mass, jacobian)


def mujoco_xml(tree: Tree, equality: str = "") -> str:
    """The tree with a site for each of its frames."""
    children: dict[str | None, list[Joint]] = {}
    for joint in tree.joints:
        children.setdefault(joint.parent, []).append(joint)

    def text(values):
        return " ".join(repr(float(x)) for x in np.ravel(values))

    def pose_text(pose):
        r = numbers(pose.rotation)
        return f'pos="{text(numbers(pose.translation))}" quat="{text(np.roll(pin.Quaternion(r).coeffs(), 1))}"'

    def sites(owner):
        return "".join(f'<site name="{f.name}" {pose_text(f.placement)}/>' for f in tree.frames if f.joint == owner)

    def body(joint):
        b = joint.body
        i = numbers(b.inertia)
        full = text([i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2]])
        out = f'<body name="{joint.name}" {pose_text(joint.placement)}>'
        out += f'<inertial mass="{float(b.mass)!r}" pos="{text(numbers(b.com))}" fullinertia="{full}"/>'
        if joint.moves:
            kind = "hinge" if joint.kind == "revolute" else "slide"
            out += f'<joint name="{joint.name}" type="{kind}" axis="{text(joint.axis)}" armature="{joint.rotor_inertia!r}"/>'
        return out + sites(joint.name) + "".join(body(c) for c in children.get(joint.name, [])) + "</body>"

    return (
        f'<mujoco><compiler angle="radian" balanceinertia="false"/>'
        f'<option gravity="{text(GRAVITY)}" solver="Newton" tolerance="0" iterations="200"/>'
        f'<worldbody>{sites(None)}{"".join(body(j) for j in children[None])}</worldbody><equality>{equality}</equality></mujoco>'
    )


def mujoco_loop(tree: Tree, pairs: list[tuple[str, str]], q, v, tau) -> np.ndarray:
    """Joint accelerations with the frames of each pair held together, at a q where they are.

    MuJoCo's constraints are soft, J a + eps D f = -(dJ/dt) v (from version 4 on): eps is extrapolated to 0 from h, 2 h, 4 h.
    """
    h = 2e-4

    def solve(eps):
        d = 1 / (1 + eps)
        equality = "".join(f'<connect site1="{a}" site2="{b}" solimp="{d!r} {d!r} 0.001 0.5 2"/>' for a, b in pairs)
        model = mujoco.MjModel.from_xml_string(mujoco_xml(tree, equality))
        data = mujoco.MjData(model)
        perm = [model.joint(n).dofadr[0] for n in tree.names]
        data.qpos[perm], data.qvel[perm], data.qfrc_applied[perm] = q, v, tau
        mujoco.mj_forward(model, data)
        assert np.abs(data.efc_pos).max() < 1e-9 and np.abs(data.efc_vel).max() < 1e-9
        return data.qacc[perm].copy()

    return 8 / 3 * solve(h) - 2 * solve(2 * h) + solve(4 * h) / 3


def mujoco_peer(tree: Tree) -> Peer:
    xml = mujoco_xml(tree)
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    perm = [model.joint(n).dofadr[0] for n in tree.names]

    def put(x):
        out = np.zeros(model.nv)
        out[perm] = x
        return out

    def tau(q, v, a):
        data.qpos[:], data.qvel[:], data.qacc[:] = put(q), put(v), put(a)
        mujoco.mj_inverse(model, data)
        return data.qfrc_inverse[perm].copy()

    def mass(q):
        data.qpos[:] = put(q)
        mujoco.mj_forward(model, data)
        columns = []
        for k in range(model.nv):
            unit = np.zeros(model.nv)
            unit[k] = 1
            out = np.zeros(model.nv)
            mujoco.mj_mulM(model, data, out, unit)
            columns.append(out)
        return np.array(columns)[np.ix_(perm, perm)]

    def jacobian(q):
        data.qpos[:] = put(q)
        mujoco.mj_forward(model, data)
        linear, angular = np.zeros((3, model.nv)), np.zeros((3, model.nv))
        mujoco.mj_jacSite(model, data, linear, angular, model.site("tip").id)
        return np.vstack([linear, angular])[:, perm]

    return Peer(tau, mass, jacobian)
