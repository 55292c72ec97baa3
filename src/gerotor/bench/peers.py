"""The bare rigid arm in MuJoCo and Pinocchio, timed without Python in the loop.

Both are built from the links of our tree: one body a moving joint, fixed bodies and payloads merged, no geometry,
no drives. With m, h, S the moments of a link about its origin, its centre and inertia about it are

    c = h / m,   I = tr(C) 1 - C,   C = S - h h' / m                                     (1)
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from gerotor.maths.rotation import quaternion
from gerotor.mechanics.link import Link
from gerotor.mechanics.tree import Tree

Array = NDArray[np.float64]
Timer = Callable[[int], float]  # number of steps -> seconds


def mujoco_timers(tree: Tree, q: Any, step: float) -> dict[str, Timer]:
    """mj_step(model, data, nstep=n): the loop over n steps is MuJoCo's own, in C."""
    import mujoco

    def timer(integrator: str) -> Timer:
        model = mujoco.MjModel.from_xml_string(mjcf(tree, integrator, step))
        data = mujoco.MjData(model)

        def run(n: int) -> float:
            mujoco.mj_resetData(model, data)
            data.qpos[:] = q
            began = perf_counter()
            mujoco.mj_step(model, data, n)
            return perf_counter() - began

        return run

    return {name: timer(name) for name in ("Euler", "implicitfast", "implicit")}


def pinocchio_timer(tree: Tree, q: Any) -> Timer:
    """abaInParallel on one thread over a batch of states: the loop is Pinocchio's own, in C++."""
    import pinocchio as pin

    model = pin.Model()
    model.gravity.linear = _numbers(tree.gravity).ravel()
    for link in tree.links:
        kind = pin.JointModelRZ() if link.revolute else pin.JointModelPZ()
        place = pin.SE3(_numbers(link.placement.rotation), _numbers(link.placement.translation).ravel())
        index = model.addJoint(link.parent + 1, kind, place, link.joint.name)
        model.appendBodyToJoint(index, pin.Inertia(*_body(link)), pin.SE3.Identity())
    pool = pin.ModelPool(model, 1)

    def run(n: int) -> float:
        columns = (np.asarray(q, dtype=float), 0.1 * np.ones(model.nv), np.zeros(model.nv))
        states = [np.asfortranarray(np.tile(c.reshape(-1, 1), (1, n))) for c in columns]
        out = np.zeros((model.nv, n), order="F")
        began = perf_counter()
        pin.abaInParallel(1, pool, *states, out)
        return perf_counter() - began

    return run


def mjcf(tree: Tree, integrator: str, step: float) -> str:
    """The tree as an MJCF model."""
    bodies = "".join(_element(tree, k) for k, link in enumerate(tree.links) if link.parent < 0)
    return (
        f'<mujoco model="arm"><compiler angle="radian" balanceinertia="false"/><option timestep="{step!r}" '
        f'integrator="{integrator}" gravity="{_text(tree.gravity)}"/><worldbody>{bodies}</worldbody></mujoco>'
    )


def _element(tree: Tree, index: int) -> str:
    link = tree.links[index]
    mass, centre, inertia = _body(link)
    full = _text([inertia[0, 0], inertia[1, 1], inertia[2, 2], inertia[0, 1], inertia[0, 2], inertia[1, 2]])
    place = f'pos="{_text(link.placement.translation)}" quat="{_text(quaternion(ca.DM(link.placement.rotation)))}"'
    kind, armature = "hinge" if link.revolute else "slide", _text(link.joint.rotor_inertia)
    inner = "".join(_element(tree, k) for k, other in enumerate(tree.links) if other.parent == index)
    return (
        f'<body name="{link.joint.name}" {place}><joint type="{kind}" axis="0 0 1" armature="{armature}"/>'
        f'<inertial mass="{mass!r}" pos="{_text(centre)}" fullinertia="{full}"/>{inner}</body>'
    )


def _body(link: Link) -> tuple[float, Array, Array]:
    mass, h, s = float(ca.DM(link.mass)), _numbers(link.first).ravel(), _numbers(link.second)
    central = s - np.outer(h, h) / mass
    return mass, h / mass, np.trace(central) * np.eye(3) - central  # (1)


def _numbers(expression: Any) -> Array:
    return np.array(ca.DM(ca.SX(expression)))


def _text(values: Any) -> str:
    return " ".join(repr(float(x)) for x in _numbers(values).ravel())
