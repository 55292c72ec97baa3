"""The crane loading a log in 3-D, with a time slider. Joints, linkages and the log's place are to scale, thicknesses are not."""

from __future__ import annotations

from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from gerotor.machines import Machine
from gerotor.mechanics.kinematics import frame_pose
from gerotor.studies.arm_picture import joined, mesh, tube
from gerotor.units import quantity

Array = NDArray[np.float64]
COLOURS = {"beam": "#f2a900", "post": "#3b4252", "cylinder": "#8a94a3", "log": "#8b5a2b", "ground": "#e4e9e2", "bunk": "#6b7280"}
PLAY: dict[str, Any] = {"frame": {"duration": 100, "redraw": True}, "transition": {"duration": 0}, "mode": "immediate"}
GROUND, PICK, BUNK = -0.35, (0.9, 0.15, -1.05), (-0.7, 0.35, -1.45)
ROPE, LENGTH = 0.25, 3.0


def _numbers(expression: Any) -> Array:
    return np.array(ca.DM(expression))


def _poses(machine: Machine, q: Any) -> dict[str, tuple[Array, Array]]:
    out = {}
    for name in ("swing", "boom", "stick", "tip"):
        pose = frame_pose(machine.tree, name, ca.DM(np.asarray(q, dtype=float)))
        out[name] = _numbers(pose.rotation), _numbers(pose.translation).ravel()
    return out


def _eyes(machine: Machine, poses: dict[str, tuple[Array, Array]], joint: str) -> tuple[Array, Array]:
    """Base eye on the parent's body and rod eye on the joint's, from the two-bar linkage."""
    section = next(j.actuator for j in machine.file.joints if j.name == joint) or {}
    linkage = section["linkage"]
    a, b = (quantity(linkage[k], "m") for k in ("base_distance", "rod_distance"))
    psi = quantity(linkage["angle"], "rad")
    turn, pivot = poses[joint]
    if joint == "boom":  # base eye on the post, rod eye on the boom's axis
        return pivot + poses["swing"][0] @ _plane(a, -psi), pivot + turn @ _plane(b, 0.0)
    return pivot + poses["boom"][0] @ _plane(a, np.pi), pivot + turn @ _plane(b, np.pi - psi)  # base eye on the boom's axis


def _plane(length: float, angle: float) -> Array:
    """A point of a beam's own plane; angles up from its axis."""
    return length * np.array([np.cos(angle), 0.0, np.sin(angle)])


def _moving(machine: Machine, q: Any, loaded: bool, log_at: tuple[Array, float]) -> list[Any]:
    poses = _poses(machine, q)
    shoulder, elbow, tip = (poses[n][1] for n in ("boom", "stick", "tip"))
    side = poses["swing"][0][:, 1]
    beams = [tube(shoulder, elbow, 0.13, end_radius=0.1), tube(elbow, tip, 0.1, end_radius=0.06)]
    hinges = [tube(p - 0.17 * side, p + 0.17 * side, 0.08) for p in (shoulder, elbow)]
    cylinders = []
    for joint in ("boom", "stick"):
        base, rod = _eyes(machine, poses, joint)
        middle = base + 0.55 * (rod - base)
        cylinders += [tube(base, middle, 0.065), tube(middle, rod, 0.035)]
        beams.append(tube(poses[joint][1], rod, 0.07))
        hinges.append(tube([0, 0, base[2]] if joint == "boom" else base + 0.02 * side, base, 0.06))
    centre, heading = (tip - np.array([0, 0, ROPE]), float(q[0]) + np.pi / 2) if loaded else log_at
    half = LENGTH / 2 * np.array([np.cos(heading), np.sin(heading), 0])
    log = [tube(centre - half, centre + half, 0.16, end_radius=0.13)]
    rope = tube(tip, tip - np.array([0, 0, ROPE]), 0.03)
    return [
        mesh(joined(beams), COLOURS["beam"], "scene"), mesh(joined([*hinges, rope]), COLOURS["post"], "scene"),
        mesh(joined(cylinders), COLOURS["cylinder"], "scene"), mesh(joined(log), COLOURS["log"], "scene"),
    ]


def loading_animation(machine: Machine, times: Any, q: Any, mass: Any) -> Any:
    """A plotly figure; rows of `q` and entries of `mass` (the log hangs where it is not 0) belong to `times`."""
    import plotly.graph_objects as go

    def below(pose: Any) -> tuple[Array, float]:
        return _poses(machine, pose)["tip"][1] - np.array([0, 0, ROPE]), float(pose[0]) + np.pi / 2

    states, resting = [], below(PICK)
    for k in range(len(times)):
        if mass[k] > 0:
            resting = below(q[k])
        states.append(_moving(machine, q[k], bool(mass[k] > 0), resting))
    corners = np.array([[-1.5, -5.5, GROUND], [6.5, -5.5, GROUND], [6.5, 6, GROUND], [-1.5, 6, GROUND]])
    place, heading = below(BUNK)
    across, along = (np.array([np.cos(a), np.sin(a), 0]) for a in (heading, heading - np.pi / 2))
    feet = [place + s * across + w * along for s in (-0.9, 0.9) for w in (-0.5, 0.5)]
    stakes = [tube([*f[:2], GROUND], [*f[:2], place[2] + 0.5], 0.05) for f in feet]
    beds = [tube(feet[k] - [0, 0, 0.2], feet[k + 1] - [0, 0, 0.2], 0.05) for k in (0, 2)]
    still = [
        mesh((corners, np.array([[0, 1, 2], [0, 2, 3]])), COLOURS["ground"], "scene"),
        mesh(joined([tube((0, 0, GROUND), (0, 0, 1.5), 0.28, end_radius=0.2), tube((0, 0, GROUND), (0, 0, 0.1), 0.7)]),
             COLOURS["post"], "scene"),
        mesh(joined([*stakes, *beds]), COLOURS["bunk"], "scene"),
    ]
    labels = [f"{t:.1f}" for t in times]
    figure = go.Figure(
        data=[*states[0], *still],
        frames=[go.Frame(data=s, name=n, traces=list(range(len(s)))) for s, n in zip(states, labels, strict=True)],
    )
    plain = {"visible": False}
    figure.update_layout(
        height=560, margin={"l": 0, "r": 0, "t": 10, "b": 0}, showlegend=False, paper_bgcolor="white",
        scene={"aspectmode": "data", "xaxis": plain, "yaxis": plain, "zaxis": plain,
               "camera": {"eye": {"x": 1.15, "y": -0.95, "z": 0.45}, "center": {"x": 0, "y": 0, "z": -0.12}}},
        sliders=[{"active": 0, "currentvalue": {"prefix": "time ", "suffix": " s"}, "len": 0.84, "x": 0.13, "y": 0.06,
                  "steps": [{"label": n, "method": "animate", "args": [[n], PLAY]} for n in labels]}],
        updatemenus=[{"type": "buttons", "x": 0.02, "y": 0.02, "xanchor": "left", "yanchor": "bottom", "direction": "left",
                      "buttons": [{"label": "play", "method": "animate", "args": [None, {**PLAY, "fromcurrent": True}]},
                                  {"label": "stop", "method": "animate", "args": [[None], PLAY]}]}],
    )
    return figure
