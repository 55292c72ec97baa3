"""A machine in three dimensions: from its tree alone (beams between joints, housings, slides, cylinders, tool), or from solids.

The page has z up; a machine whose gravity points elsewhere is turned as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from gerotor.maths.pose import Pose
from gerotor.mechanics.joint import Joint
from gerotor.mechanics.kinematics import frame_pose
from gerotor.realtime.stage import Bar, Rod, Skin, Stage
from gerotor.viewer.shapes import Mesh, beam, frame_along, rod

Array = NDArray[np.float64]
PAINT, PAINT_2, DARK, STEEL = (255, 186, 48), (246, 164, 30), (84, 92, 104), (214, 220, 227)


def numbers(pose: Pose) -> tuple[Array, Array]:
    return np.array(ca.DM(pose.rotation)), np.array(ca.DM(pose.translation)).ravel()


def quaternion(rotation: Any) -> Array:
    from viser.transforms import SO3

    return np.asarray(SO3.from_matrix(np.asarray(rotation)).wxyz)


def upright(gravity: Any) -> Array:
    """The rotation that brings the opposite of gravity to +z; none without gravity."""
    up = -np.array(ca.DM(gravity), dtype=float).ravel()
    if np.linalg.norm(up) < 1e-9 or abs(up[2]) > 0.99 * np.linalg.norm(up):
        return np.eye(3)
    z = up / np.linalg.norm(up)
    x = np.array([1.0, 0, 0]) if abs(z[0]) < 0.9 else np.array([0, 1.0, 0])
    x = x - (x @ z) * z
    x /= np.linalg.norm(x)
    return np.array([x, np.cross(z, x), z])


def _corners(item: Bar | Skin) -> list[Array]:
    """Two points between which it lies."""
    if isinstance(item, Bar):
        return [np.asarray(p, dtype=float) for p in (item.start, item.end)]
    return [item.vertices.min(0), item.vertices.max(0)]


class MachineScene:
    """Nodes under /machine of a viser scene; `show(q)` puts them where they belong."""

    def __init__(self, scene: Any, stage: Stage, start: Any) -> None:
        self.scene, self.tree, self.tool = scene, stage.tree, stage.tool
        tree, tool = stage.tree, stage.tool
        self.turn = upright(tree.gravity)
        q = ca.SX.sym("q", tree.size)
        self._places = [j.name for j in tree.joints] + [tool]
        poses = [frame_pose(tree, name, q) for name in self._places]
        self._poses = ca.Function("poses", [q], [ca.horzcat(*[ca.horzcat(p.rotation, p.translation) for p in poses])])
        self.q = np.asarray(start, dtype=float)
        self._shown = False
        spots = np.array([p[1] for p in self.poses(self.q).values()])
        fixed = [self.turn @ p for x in stage.solids if x.frame is None for p in _corners(x)]
        spots = np.array([*spots, *fixed])
        self.spots = np.array(fixed).reshape(-1, 3)
        self.reach = max(0.5, float(np.linalg.norm(spots, axis=1).max()))
        low = float(spots[:, 2].min())
        self.floor = low if stage.solids else min(low - 0.12 * self.reach, -0.2 * self.reach)
        self._frames = {j.name: scene.add_frame(f"/machine/{j.name}", show_axes=False) for j in tree.joints}
        rods = [r if stage.solids else replace(r, bore=max(r.bore, 0.012 * self.reach)) for r in stage.rods]
        self._ground = scene.add_frame("/machine/ground", show_axes=False, wxyz=quaternion(self.turn))
        if stage.solids:
            self._draw_solids(stage.solids)
        else:
            self._draw()
        self._rods = [_RodNodes(scene, r, self.turn) for r in rods]
        for r in () if stage.solids else rods:
            if r.from_frame is None:
                self._post(r.name, self.turn @ np.asarray(r.from_point), 0.8 * r.bore)
            self._mesh(f"{r.to_frame}/lever_{r.name}", beam((0, 0, 0), r.to_point, 0.6 * r.bore, 0.6 * r.bore), DARK)
        self.show(self.q)

    def poses(self, q: Any) -> dict[str, tuple[Array, Array]]:
        """Rotation and position of every joint and the tool, as the page has them."""
        flat = self.turn @ np.array(self._poses(q))
        return {name: (flat[:, 4 * k : 4 * k + 3], flat[:, 4 * k + 3]) for k, name in enumerate(self._places)}

    def tool_position(self, q: Any) -> Array:
        return self.poses(q)[self.tool][1]

    def in_base(self, place: Any) -> Array:
        """A place on the page in the machine's own axes."""
        return np.asarray(self.turn.T @ np.asarray(place, dtype=float))

    def viewpoint(self, angle: float, narrow: float = 0.8) -> tuple[Array, Array]:
        """The middle of the machine, and a place from where all of it is seen, from the side of its plane.

        `angle` is the height of the view in rad, `narrow` the width of the picture over its height.
        """
        spots = np.array([*(p for _, p in self.poses(self.q).values()), *self.spots, (0, 0, self.floor)])
        middle = (spots.min(0) + spots.max(0)) / 2
        tip = self.tool_position(self.q) * [1, 1, 0]
        out = tip / max(float(np.linalg.norm(tip)), 1e-9)
        side = np.cross([0, 0, 1.0], out) if np.linalg.norm(out) > 0.5 else np.array([0, -1.0, 0])
        back = side + 0.3 * out + np.array([0, 0, 0.33])
        back /= np.linalg.norm(back)
        right = np.cross([0, 0, 1.0], back)
        axes = np.array([right / np.linalg.norm(right), np.cross(back, right / np.linalg.norm(right)), back])
        across, up, near = axes @ (spots - middle).T
        slope = (0.8 if len(self.spots) else 0.66) * np.tan(angle / 2)  # a machine on its own needs room to move
        far = max(float((np.abs(across) / (slope * narrow) + near).max()), float((np.abs(up) / slope + near).max()), 0.5)
        return middle, middle + far * back

    def show(self, q: Any) -> None:
        """Move every part to joint positions q; a machine at rest costs nothing."""
        before, self.q = self.q, np.asarray(q, dtype=float)
        if self._shown and np.abs(self.q - before).max(initial=0.0) < 1e-6:
            self.q = before
            return
        self._shown = True
        poses = self.poses(self.q)
        for name, node in self._frames.items():
            node.wxyz, node.position = quaternion(poses[name][0]), poses[name][1]
        for item in self._rods:
            item.show(poses)

    def _draw_solids(self, solids: Sequence[Bar | Skin]) -> None:
        for item in solids:
            mesh = rod(item.start, item.end, item.radius, 48) if isinstance(item, Bar) else (item.vertices, item.faces)
            self._mesh(f"{item.frame or 'ground'}/{item.name}", mesh, item.colour)

    def _mesh(self, name: str, mesh: Mesh, color: tuple[int, int, int]) -> None:
        self.scene.add_mesh_simple(f"/machine/{name}", *mesh, color=color, flat_shading=True)

    def _draw(self) -> None:
        width = 0.062 * self.reach
        count = max(1, len(self.tree.joints))
        self._mesh("pedestal", rod((0, 0, self.floor), (0, 0, -0.5 * width), 0.9 * width), DARK)
        self._mesh("foot", rod((0, 0, self.floor), (0, 0, self.floor + 0.25 * width), 2.2 * width, 48), DARK)
        for frame in self.tree.frames:
            if frame.joint is None:
                self._post(frame.name, self.turn @ numbers(frame.placement)[1], 0.45 * width)
        for k, joint in enumerate(self.tree.joints):
            here = width * (1 - 0.55 * k / count)
            nxt = width * (1 - 0.55 * (k + 1) / count)
            self._housing(joint, here)
            for j, end in enumerate(self._ends(joint)):
                self._mesh(f"{joint.name}/beam{j}", beam((0, 0, 0), end, 0.92 * here, 0.92 * nxt), PAINT if k % 2 else PAINT_2)

    def _post(self, name: str, place: Array, width: float) -> None:
        """A pivot on the ground: a post with a head."""
        foot, side = np.array([place[0], place[1], self.floor]), self.turn @ np.array([0, 0, 1.0])
        self._mesh(f"{name}_post", beam(foot, place, 2 * width, width), DARK)
        self._mesh(f"{name}_head", rod(place - width * side, place + width * side, width, 32), DARK)

    def _ends(self, joint: Joint) -> list[Array]:
        """Where the children and frames of a joint's link sit, in its body frame; the nearly equal ones once."""
        spots = [numbers(j.placement)[1] for j in self.tree.joints if j.parent == joint.name]
        spots += [numbers(f.placement)[1] for f in self.tree.frames if f.joint == joint.name]
        out: list[Array] = []
        for spot in spots:
            if np.linalg.norm(spot) > 0.02 * self.reach and all(np.linalg.norm(spot - o) > 0.02 * self.reach for o in out):
                out.append(spot)
        return out

    def _housing(self, joint: Joint, width: float) -> None:
        axis = np.asarray(joint.axis, dtype=float)
        if joint.kind == "revolute":
            self._mesh(f"{joint.name}/housing", rod(-0.62 * width * axis, 0.62 * width * axis, 0.66 * width, 32), DARK)
        if joint.kind == "prismatic":
            stroke = joint.upper - joint.lower if np.isfinite(joint.upper - joint.lower) else 0.2 * self.reach
            self._mesh(f"{joint.name}/slide", beam(-(stroke + 0.1) * axis, 0.02 * axis, 0.7 * width, 0.7 * width), STEEL)


class _RodNodes:
    """A hydraulic cylinder: a barrel at one end, a rod at the other, both pointing at each other."""

    def __init__(self, scene: Any, item: Rod, turn: Array) -> None:
        self.item, self.turn = item, turn
        length = item.closed_length
        self.barrel = scene.add_mesh_simple(f"/machine/{item.name}_barrel", *rod((0, 0, 0), (0, 0, 0.92 * length), item.bore / 2),
                                            color=DARK, flat_shading=True)
        self.rod = scene.add_mesh_simple(f"/machine/{item.name}_rod", *rod((0, 0, 0), (0, 0, 0.92 * length), 0.28 * item.bore),
                                         color=STEEL, flat_shading=True)

    def show(self, poses: dict[str, tuple[Array, Array]]) -> None:
        a, b = (self._place(poses, f, p) for f, p in
                ((self.item.from_frame, self.item.from_point), (self.item.to_frame, self.item.to_point)))
        if np.linalg.norm(b - a) > 1e-6:
            axes = frame_along(b - a)
            self.barrel.position, self.barrel.wxyz = a, quaternion(axes)
            self.rod.position, self.rod.wxyz = b, quaternion(axes @ np.diag([1.0, -1.0, -1.0]))

    def _place(self, poses: dict[str, tuple[Array, Array]], frame: str | None, point: Any) -> Array:
        if frame is None:
            return np.asarray(self.turn @ np.asarray(point, dtype=float))
        rotation, origin = poses[frame]
        return np.asarray(origin + rotation @ np.asarray(point, dtype=float))
