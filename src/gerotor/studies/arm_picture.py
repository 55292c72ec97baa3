"""The arm cutting the pipe in 3-D: the whole machine beside a close view of saw and slot, with a time slider.

True to scale: joint axes, tool point, saw, pipe, slot. Link thickness, column and saw motor are drawn for the eye only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from gerotor.contact.pipe_cut import PipeCut
from gerotor.machines import Machine
from gerotor.mechanics.kinematics import frame_pose

Array = NDArray[np.float64]

FLOOR = -1.95
COLOURS = {"arm": "#f2a900", "slide": "#c9ced6", "joint": "#3b4252", "saw": "#dfe4ea", "pipe": "#6b9ac4", "cut": "#e8eef4",
           "force": "#d1242f",
           "floor": "#e9ecef"}
X = np.array([1.0, 0, 0])
LIGHT = {"ambient": 0.62, "diffuse": 0.7, "specular": 0.25, "roughness": 0.6}


def tube(a: Any, b: Any, radius: float, sides: int = 20, end_radius: float | None = None) -> tuple[Array, Array]:
    """Vertices and triangles of a closed round bar from a to b."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    axis = (b - a) / max(float(np.linalg.norm(b - a)), 1e-12)
    side = np.cross(axis, (1.0, 0, 0) if abs(axis[0]) < 0.9 else (0, 1.0, 0))
    side /= np.linalg.norm(side)
    angle = np.arange(sides) * 2 * np.pi / sides
    ring = np.outer(np.cos(angle), side) + np.outer(np.sin(angle), np.cross(axis, side))
    points = np.vstack([a + radius * ring, b + (radius if end_radius is None else end_radius) * ring, a, b])
    k, n = np.arange(sides), (np.arange(sides) + 1) % sides
    faces = [(k, n, k + sides), (n, n + sides, k + sides), (n, k, np.full(sides, 2 * sides)),
             (k + sides, n + sides, np.full(sides, 2 * sides + 1))]
    return points, np.vstack([np.column_stack(f) for f in faces])


def joined(bodies: Sequence[tuple[Array, Array]]) -> tuple[Array, Array]:
    """Several bodies as one mesh."""
    offset = np.cumsum([0, *(len(p) for p, _ in bodies[:-1])])
    return np.vstack([p for p, _ in bodies]), np.vstack([f + o for (_, f), o in zip(bodies, offset, strict=True)])


def mesh(body: tuple[Array, Array], colour: str, scene: str) -> Any:
    import plotly.graph_objects as go

    points, faces = np.round(body[0], 4), body[1]
    return go.Mesh3d(
        x=points[:, 0], y=points[:, 1], z=points[:, 2], i=faces[:, 0], j=faces[:, 1], k=faces[:, 2], color=colour,
        scene=scene, hoverinfo="skip", lighting=LIGHT, lightposition={"x": 2000, "y": -1000, "z": 3000},
    )


def frames_of(machine: Machine) -> Any:
    """Origins and z axes of all joints and the tool as a function of q: 6 rows, one column a frame."""
    q = ca.SX.sym("q", machine.tree.size)
    poses = [frame_pose(machine.tree, n, q) for n in (*machine.tree.names, "tcp")]
    return ca.Function("frames", [q], [ca.horzcat(*[ca.vertcat(p.translation, p.rotation[:, 2]) for p in poses])])


def arm_meshes(frames: Any, q: Any) -> list[Any]:
    """Links and joints at joint positions q."""
    columns = dict(zip(("j1", "j2", "j3", "j4", "j5", "j6", "tcp"), frames(q).full().T, strict=True))
    at, axis = {n: c[:3] for n, c in columns.items()}, {n: c[3:] for n, c in columns.items()}
    shoulder, elbow, wrist, tip = at["j3"], at["j4"], at["j5"], at["tcp"]
    base = np.zeros(3)
    along = (tip - wrist) / np.linalg.norm(tip - wrist)
    beside = tip - 0.16 * along + 0.06 * X
    hub = tip + 0.06 * X
    rail = (shoulder - base) / np.linalg.norm(shoulder - base)
    yellow = [
        tube(base - 0.12 * rail, base + 1.0 * rail, 0.105), tube(shoulder, elbow, 0.085, end_radius=0.075),
        tube(elbow, wrist, 0.075, end_radius=0.062), tube(wrist, tip - 0.2 * along, 0.06, end_radius=0.045),
    ]
    grey = [tube(base + 0.95 * rail, shoulder, 0.07)]
    dark = [tube(at[n] - 0.11 * axis[n], at[n] + 0.11 * axis[n], r) for n, r in (("j3", 0.1), ("j4", 0.09), ("j5", 0.075))]
    dark += [tube(tip - 0.24 * along, beside, 0.032), tube(beside, hub, 0.028), tube(hub - 0.056 * X, hub + 0.05 * X, 0.035)]
    return [mesh(joined(b), COLOURS[c], "scene") for b, c in ((yellow, "arm"), (grey, "slide"), (dark, "joint"))]


def saw_body(cut: PipeCut, centre: Any, turn: float, thickness: float) -> tuple[Array, Array]:
    """A toothed disc square to x about `centre`; one tooth in four is drawn."""
    teeth = max(cut.teeth // 4, 12)
    angle = turn + np.arange(2 * teeth) * math.pi / teeth
    radius = np.where(np.arange(2 * teeth) % 2, 0.955, 1.0) * cut.saw_radius
    rim = np.column_stack([np.zeros(2 * teeth), radius * np.cos(angle), radius * np.sin(angle)]) + centre
    x = np.array([thickness / 2, 0, 0])
    n = 2 * teeth
    points = np.vstack([rim - x, rim + x, np.asarray(centre) - x, np.asarray(centre) + x])
    k, m = np.arange(n), (np.arange(n) + 1) % n
    faces = [(m, k, np.full(n, 2 * n)), (k + n, m + n, np.full(n, 2 * n + 1)), (k, m, k + n), (m, m + n, k + n)]
    return points, np.vstack([np.column_stack(f) for f in faces])


def ring(cut: PipeCut, saw: Any, radius: float, scene: str) -> Any:
    """The pipe's surface within the slot's width, where the saw has not been: `saw` is its centre (y, z)."""
    import plotly.graph_objects as go

    half, colour = cut.kerf_width / 2, COLOURS["pipe"]
    angle = np.linspace(0, 2 * np.pi, 181)
    y, z = cut.pipe_y + radius * np.cos(angle), cut.pipe_z + radius * np.sin(angle)
    passed = (np.hypot(y - saw[0], z - saw[1]) < cut.saw_radius) | (y < saw[0])
    shape = np.where(passed, np.nan, np.round(z, 5))
    return go.Surface(
        x=np.array([[-half], [half]]).repeat(181, 1), y=np.round(np.vstack([y, y]), 5), z=np.vstack([shape, shape]), scene=scene,
        showscale=False, colorscale=[[0, colour], [1, colour]], hoverinfo="skip", lighting=LIGHT, connectgaps=False,
    )


def pipe_halves(cut: PipeCut, half: float, scene: str) -> list[Any]:
    """Both sides of the slot, which do not change: outside, bore and the two cut faces."""
    import plotly.graph_objects as go

    angle = np.linspace(0, 2 * np.pi, 73)

    def surface(x: Sequence[float], radius: Sequence[float], colour: str) -> Any:
        r = np.array(radius)[:, None]
        return go.Surface(
            x=np.array(x)[:, None].repeat(73, 1), y=np.round(cut.pipe_y + r * np.cos(angle), 5),
            z=np.round(cut.pipe_z + r * np.sin(angle), 5), scene=scene, showscale=False, colorscale=[[0, colour], [1, colour]],
            hoverinfo="skip", lighting=LIGHT,
        )

    inner, outer, edge = cut.inner_radius, cut.outer_radius, cut.kerf_width / 2
    out = []
    for side in (-1, 1):
        out += [surface((side * edge, side * half), (outer, outer), COLOURS["pipe"]),
                surface((side * edge, side * half), (inner, inner), COLOURS["pipe"]),
                surface((side * edge, side * edge), (inner, outer), COLOURS["cut"]),
                surface((side * half, side * half), (inner, outer), COLOURS["cut"])]
    return out


def moving(arm: list[Any], cut: PipeCut, saw: Any, force: Any, turn: float) -> list[Any]:
    """Every trace that changes from frame to frame, always in the same order."""
    import plotly.graph_objects as go

    out = list(arm)
    centre = np.array([0, *saw])
    for scene in ("scene", "scene2"):
        out.append(mesh(saw_body(cut, centre, turn, cut.kerf_width), COLOURS["saw"], scene))
        out += [ring(cut, saw, r, scene) for r in (cut.outer_radius, cut.inner_radius)]
    hub = tube(centre - 0.004 * X, centre + 0.004 * X, 0.03)
    hole = centre + 0.09 * np.array([0, math.cos(turn), math.sin(turn)])
    mark = tube(hole - 0.0025 * X, hole + 0.0025 * X, 0.01)
    out.append(mesh(joined([hub, mark]), COLOURS["joint"], "scene2"))
    tip = centre + np.array([0, *force]) * 1e-3
    line = np.vstack([centre, tip]) + 0.006 * X
    out.append(go.Scatter3d(x=line[:, 0], y=line[:, 1], z=line[:, 2], mode="lines", line={"color": COLOURS["force"], "width": 9},
                            scene="scene2", hoverinfo="skip"))
    return out


def surroundings(cut: PipeCut) -> list[Any]:
    """Column, floor and the pipe's posts."""
    column = [tube((0, 0, FLOOR), (0, 0, 0.02), 0.2, end_radius=0.14), tube((0, 0, FLOOR), (0, 0, FLOOR + 0.05), 0.42)]
    corners = np.array([[-0.9, -0.6, FLOOR], [0.9, -0.6, FLOOR], [0.9, 3.4, FLOOR], [-0.9, 3.4, FLOOR]])
    floor = corners, np.array([[0, 1, 2], [0, 2, 3]])
    below = cut.pipe_z - cut.outer_radius
    posts = [tube((x, cut.pipe_y, FLOOR), (x, cut.pipe_y, below), 0.03) for x in (-0.42, 0.42)]
    return [mesh(joined(b), COLOURS[c], "scene") for b, c in ((column, "joint"), ([floor], "floor"), (posts, "slide"))]


def cutting_animation(machine: Machine, cut: PipeCut, times: Any, *, q: Any, saw: Any, force: Any) -> Any:
    """A plotly figure; rows of `q` (joints), `saw` (centre y, z) and `force` (y, z) belong to `times`."""
    import plotly.graph_objects as go

    frames = frames_of(machine)
    states = [moving(arm_meshes(frames, q[k]), cut, saw[k], force[k], 0.37 * k) for k in range(len(times))]
    times = np.round(np.asarray(times, dtype=float), 2)
    count = len(states[0])
    still = [*surroundings(cut), *pipe_halves(cut, 0.5, "scene"), *pipe_halves(cut, 0.12, "scene2")]
    figure = go.Figure(
        data=[*states[0], *still],
        frames=[{"data": [_places(trace) for trace in s], "name": f"{t:g}", "traces": list(range(count))}
                for s, t in zip(states, times, strict=True)],
    )
    plain = {"visible": False}
    figure.update_layout(
        height=600, margin={"l": 0, "r": 0, "t": 10, "b": 50}, showlegend=False, paper_bgcolor="white",
        scene={"domain": {"x": [0, 0.58], "y": [0.1, 1]}, "aspectmode": "data", "xaxis": plain, "yaxis": plain, "zaxis": plain,
               "camera": {"eye": {"x": 1.55, "y": -0.35, "z": 0.45}, "center": {"x": 0, "y": 0.05, "z": -0.1}}},
        scene2={"domain": {"x": [0.58, 1], "y": [0.1, 1]}, "aspectmode": "data", "xaxis": plain,
                "yaxis": {**plain, "range": [2.40, 2.82]}, "zaxis": {**plain, "range": [-1.65, -1.25]},
                "camera": {"eye": {"x": 1.1, "y": 0.7, "z": 0.6}, "center": {"x": 0, "y": 0.12, "z": -0.02}}},
        sliders=[{"active": 0, "currentvalue": {"prefix": "time ", "suffix": " s"}, "len": 0.84, "x": 0.13, "y": 0.06,
                  "steps": [{"label": f"{t:g}", "method": "animate", "args": [[f"{t:g}"], _PLAY]} for t in times]}],
        updatemenus=[{"type": "buttons", "x": 0.02, "y": 0.02, "xanchor": "left", "yanchor": "bottom", "direction": "left",
                      "buttons": [{"label": "play", "method": "animate", "args": [None, {**_PLAY, "fromcurrent": True}]},
                                  {"label": "stop", "method": "animate", "args": [[None], _PLAY]}]}],
    )
    return figure


def _places(trace: Any) -> dict[str, Any]:
    """What changes of a trace."""
    return {"type": trace.type, "x": trace.x, "y": trace.y, "z": trace.z}


_PLAY: dict[str, Any] = {"frame": {"duration": 120, "redraw": True}, "transition": {"duration": 0}, "mode": "immediate"}
