"""How far a pipe is cut: the front of the slot, remembered, so that a second pass meets no material.

Across the feed the pipe is divided into columns. Column j, at l_j from the pipe's centre, keeps the
furthest position f_j along the feed that the rim of the saw (centre x, l along and across the feed, all
from the pipe's centre) has reached:

    e_j = x + sqrt(R^2 - (l_j - l)^2),   f_j <- max(f_j, e_j)                              (1)

The wall of column j lies at b_j < |f| < a_j, a_j = sqrt(r_o^2 - l_j^2), b_j likewise of r_i. Cut of it is

    A_j (clip(f_j, -a_j, a_j) + a_j - clip(f_j, -b_j, b_j) - b_j) / (2 a_j - 2 b_j)         (2)

with A_j the exact wall area of the column, so that a whole cut removes pi (r_o^2 - r_i^2). The gate is
the share of the rim in the wall that is at the front and not behind it,

    gate = mean_j w(f_j - e_j),   w(g) = 1 - 3 x^2 + 2 x^3,  x = clip(g / band, 0, 1)       (3)

over columns whose rim is in the wall (over all the saw reaches, if there are none), f_j before (1).
The moment (and so the saw's work) is spread evenly across the feed, so the mean is the right weight.
Material that the saw covers at the first sample counts as cut.
"""

from __future__ import annotations

import math
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from gerotor.contact.pipe_cut import PipeCut
from gerotor.core.component import check_range
from gerotor.core.layout import Entry, Layout
from gerotor.core.sampled import Sampled
from gerotor.errors import ParameterError


def kerf(
    name: str, cut: PipeCut, *, period: float, centre: tuple[str, str], band: float, columns: int = 64, gate: str = ""
) -> Sampled:
    """Follows the saw's `centre` (paths of y and z) and holds NAME.cut_area, NAME.cut_depth, NAME.fraction
    and `gate` (NAME.gate unless told), the factor for PipeCut's input.

    `band` is the distance behind the front within which force fades to 0: above the tool's vibration and
    the chip's thickness, below the depth of cut.
    """
    R, ro, ri = (_number(f"{name}.{k}", getattr(cut, k)) for k in ("saw_radius", "outer_radius", "inner_radius"))
    py, pz, angle = (_number(f"{name}.{k}", getattr(cut, k)) for k in ("pipe_y", "pipe_z", "feed_angle"))
    check_range(f"{name}.band", float(band), "m", {"above": 0})
    check_range(f"{name}.columns", int(columns), "1", {"least": 4})
    edges = np.linspace(-ro, ro, columns + 1)
    offsets = (edges[1:] + edges[:-1]) / 2
    a, b = _half_chord(ro, offsets), _half_chord(ri, offsets)
    area = _segment(ro, edges) - _segment(ri, edges)
    cos, sin = math.cos(angle), math.sin(angle)
    a_, b_, share = ca.DM(a), ca.DM(b), ca.DM(area / (2 * (a - b)))

    def update(front: Any, r: Any, t: Any) -> tuple[Any, Any]:
        y, z = r[0] - py, r[1] - pz
        x, l = y * cos + z * sin, z * cos - y * sin
        square = R * R - (ca.DM(offsets) - l) ** 2
        reached = square > 0
        rim = ca.if_else(reached, x + ca.sqrt(ca.fmax(square, 0)), front)  # (1)
        behind = ca.fmin(ca.fmax((front - rim) / band, 0), 1)
        fresh = 1 - behind * behind * (3 - 2 * behind)  # (3)
        in_wall = ca.logic_and(reached, ca.logic_and(ca.fabs(rim) > b_, ca.fabs(rim) < a_))
        weight = ca.if_else(ca.sum1(in_wall) > 0, in_wall, reached)
        open_gate = ca.dot(weight, fresh) / ca.fmax(ca.sum1(weight), 1)  # (3)
        front = ca.fmax(front, rim)  # (1)
        removed = _clip(front, a_) + a_ - _clip(front, b_) - b_  # (2)
        removed_area = ca.dot(share, removed)
        depth = ca.fmin(ca.fmax(ca.mmax(front) + ro, 0), 2 * ro)
        return front, ca.vertcat(removed_area, depth, removed_area / float(area.sum()), open_gate)

    return Sampled(
        name=name,
        period=period,
        reads=tuple(centre),
        holds=Layout((
            Entry(f"{name}.cut_area", "m^2"),
            Entry(f"{name}.cut_depth", "m"),
            Entry(f"{name}.fraction"),
            Entry(gate or f"{name}.gate", start=1.0),
        )),
        states=Layout(tuple(Entry(f"front.{j}", "m", start=-1e6 * ro) for j in range(columns))),
        update=update,
    )


def _number(path: str, value: Any) -> float:
    if not isinstance(value, float | int):
        raise ParameterError(f"{path}: the front of the slot needs a number here, not a tunable parameter")
    return float(value)


def _half_chord(radius: float, offset: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.sqrt(np.maximum(radius**2 - offset**2, 0.0))


def _segment(radius: float, edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """Area of a circle between neighbouring edges: the integral of 2 sqrt(r^2 - l^2) dl."""
    if radius == 0.0:
        return np.zeros(len(edges) - 1)
    l = np.clip(edges, -radius, radius)
    return np.diff(l * _half_chord(radius, l) + radius**2 * np.arcsin(l / radius))


def _clip(x: Any, limit: Any) -> Any:
    return ca.fmax(ca.fmin(x, limit), -limit)
