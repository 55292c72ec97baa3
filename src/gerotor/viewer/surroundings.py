"""What stands around a machine: floor, target path, the tool's trace, pipe and saw, contact force."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gerotor.realtime.stage import Stage
from gerotor.realtime.training import Target
from gerotor.viewer.machine_scene import DARK, STEEL, MachineScene, quaternion
from gerotor.viewer.shapes import blade, rod, tube
from gerotor.viewer.slot import Slot

Array = NDArray[np.float64]
PATH, TRACE, FORCE = (230, 90, 40), (40, 120, 220), (220, 40, 60)
TRACE_POINTS = 240
FORCE_SCALE = 2e-3  # m of arrow a N


def segments(points: Array) -> Array:
    """Neighbouring points as pairs."""
    if len(points) < 2:
        points = np.repeat(np.atleast_2d(points), 2, axis=0)
    return np.stack([points[:-1], points[1:]], axis=1)


class Surroundings:
    """Nodes of everything but the machine; `show` keeps them up to date."""

    def __init__(self, scene: Any, stage: Stage, machine: MachineScene) -> None:
        self.scene, self.stage, self.machine = scene, stage, machine
        size = 6 * machine.reach
        scene.configure_default_lights(cast_shadow=False)
        scene.configure_environment_map(None)
        scene.add_light_hemisphere("/lights/sky", sky_color=(255, 255, 255), ground_color=(170, 165, 160), intensity=1.5)
        scene.add_light_directional("/lights/sun", color=(255, 250, 240), intensity=1.0, wxyz=(0.86, 0.35, 0.25, 0.25))
        scene.add_grid("/floor", width=size, height=size, position=(0, 0, machine.floor), cell_color=(222, 226, 230),
                       section_color=(200, 206, 213), cell_size=0.25, section_size=1.0, plane_color=(247, 248, 250),
                       plane_opacity=1.0)
        if stage.path is not None:
            scene.add_line_segments("/path", segments(stage.path), PATH, line_width=3.0)
        self._trace: list[Array] = []
        self._target: Target | None = None
        self.slot: Slot | None = None
        if stage.pipe is not None or stage.arrow is not None:
            self._force = scene.add_arrows("/force", np.zeros((1, 2, 3)), FORCE, shaft_radius=0.008, head_radius=0.02,
                                           head_length=0.05, visible=False)
        if stage.pipe is not None:
            self._pipe()

    def _pipe(self) -> None:
        pipe = self.stage.pipe
        assert pipe is not None
        cut = pipe.cut
        at = (0.0, float(cut.pipe_y), float(cut.pipe_z))
        half, outer, inner = float(cut.kerf_width) / 2, float(cut.outer_radius), float(cut.inner_radius)
        for name, x0, x1 in (("left", -0.45, -half), ("right", half, 0.45)):
            self.scene.add_mesh_simple(f"/pipe/{name}", *tube(x0, x1, outer, inner), color=(150, 120, 96), position=at)
        for name, x in (("a", -0.4), ("b", 0.4)):
            post = rod((x, at[1], self.machine.floor), (x, at[1], at[2] - outer), 0.02)
            self.scene.add_mesh_simple(f"/pipe/stand_{name}", *post, color=DARK)
        self.slot, self._pipe_at = Slot(cut), at
        self._draw_slot()
        radius, width = float(cut.saw_radius), float(cut.kerf_width)
        self._saw = self.scene.add_frame("/saw", show_axes=False)
        self.scene.add_mesh_simple("/saw/blade", *blade(radius, width, 48), color=STEEL, flat_shading=True)
        self.scene.add_mesh_simple("/saw/hub", *rod((-0.06, 0, 0), (0.03, 0, 0), 0.28 * radius), color=DARK)
        self.scene.add_mesh_simple("/saw/mark", *rod((width, 0.3 * radius, 0), (width, 0.85 * radius, 0), 0.012), color=DARK)

    def _draw_slot(self) -> None:
        assert self.slot is not None
        self.scene.add_mesh_simple("/pipe/slot", *self.slot.mesh(), color=(190, 84, 30), position=self._pipe_at)

    def show_target(self, target: Target | None) -> None:
        """The sphere to reach next."""
        if target is self._target:
            return
        self._target = target
        if target is None:
            self.scene.remove_by_name("/target")
        else:
            colour = (46, 158, 68) if target.mass else (25, 113, 194)
            self.scene.add_icosphere("/target", radius=target.radius, color=colour, position=target.place, opacity=0.45)

    def reset(self) -> None:
        self._trace.clear()
        if self.slot is not None:
            self.slot.reset()
            self._draw_slot()

    def show(self, q: Array, rows: Array, index: dict[str, int]) -> None:
        """Follow the newest `rows`: the tool's trace, the slot, the force."""
        self._show_trace(self._tips(q, rows, index))
        arrow, pipe = self.stage.arrow, self.stage.pipe
        if arrow is not None and len(rows):
            force = self.machine.turn @ rows[-1][[index[n] for n in arrow.force]]
            self._show_force(force, self.machine.poses(q)[arrow.frame][1], arrow.scale)
        if pipe is None or self.slot is None or not len(rows):
            return
        last = rows[-1]
        centre = last[[index[n] for n in pipe.centre]]
        angle = float(pipe.cut.saw_speed) * last[0]
        self._saw.position = centre
        self._saw.wxyz = quaternion([[1, 0, 0], [0, np.cos(angle), -np.sin(angle)], [0, np.sin(angle), np.cos(angle)]])
        if self.slot.advance(rows[:, [index[n] for n in pipe.centre[1:]]]):
            self._draw_slot()
        force = np.array([0.0, *last[[index[n] for n in pipe.force]]])
        self._show_force(force, centre + np.array([0.03, float(pipe.cut.saw_radius), 0.0]), FORCE_SCALE)

    def _tips(self, q: Array, rows: Array, index: dict[str, int]) -> Array:
        """Where the tool was in the rows, or is at q where they do not say."""
        names = [f"arm.{self.machine.tool}.{a}" for a in "xyz"]
        if len(rows) and all(n in index for n in names):
            return np.asarray(rows[:, [index[n] for n in names]] @ self.machine.turn.T)
        return self.machine.tool_position(q)[None]

    def _show_trace(self, tips: Array) -> None:
        before = self._trace[-1] if self._trace else None
        for tip in tips:
            if not self._trace or np.linalg.norm(tip - self._trace[-1]) > 0.004 * self.machine.reach:
                self._trace.append(tip)
        self._trace = self._trace[-TRACE_POINTS:]
        if len(self._trace) > 1 and self._trace[-1] is not before:
            self.scene.add_line_segments("/trace", segments(np.array(self._trace)), TRACE, line_width=2.0)

    def _show_force(self, force: Array, place: Array, scale: float) -> None:
        """An arrow that stays between what can be seen and what fits the scene."""
        size = float(np.linalg.norm(force))
        self._force.visible = size > 1.0
        arrow = np.clip(size * scale, 0.15, 0.8) * force / max(size, 1e-9)
        self._force.points = np.array([[place, place + arrow]], dtype=np.float32)
