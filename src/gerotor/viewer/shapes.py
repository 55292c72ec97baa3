"""Shapes as vertices and triangles: beams, rods, saw blades, tubes, slots."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Mesh = tuple[Array, NDArray[np.int64]]


def frame_along(direction: Any) -> Array:
    """A right-handed frame (columns) whose z points along `direction`."""
    z = np.asarray(direction, dtype=float)
    z = z / np.linalg.norm(z)
    side = np.array([1.0, 0, 0]) if abs(z[0]) < 0.9 else np.array([0, 1.0, 0])
    y = np.cross(z, side)
    y /= np.linalg.norm(y)
    return np.column_stack([np.cross(y, z), y, z])


def loft(rings: Any) -> Mesh:
    """A closed skin over rings of equally many points, both ends capped."""
    stack = np.asarray(rings, dtype=float)
    count, size = stack.shape[:2]
    points = [*stack.reshape(-1, 3), stack[0].mean(0), stack[-1].mean(0)]
    faces = []
    for k in range(count - 1):
        for i in range(size):
            a, b = k * size + i, k * size + (i + 1) % size
            faces += [(a, b, b + size), (a, b + size, a + size)]
    first, last = count * size, count * size + 1
    for i in range(size):
        j = (i + 1) % size
        faces += [(first, j, i), (last, (count - 1) * size + i, (count - 1) * size + j)]
    return np.array(points), np.array(faces)


def beam(start: Any, end: Any, width: float, end_width: float, chamfer: float = 0.3) -> Mesh:
    """A tapered box beam with chamfered edges."""
    start, end = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    axes = frame_along(end - start)
    c = 1 - chamfer
    outline = np.array([(1, -c), (1, c), (c, 1), (-c, 1), (-1, c), (-1, -c), (-c, -1), (c, -1)]) / 2
    return loft([start + (w * outline) @ axes[:, :2].T for w in (width,)] + [end + (end_width * outline) @ axes[:, :2].T])


def rod(start: Any, end: Any, radius: float, sides: int = 24) -> Mesh:
    """A round bar."""
    start, end = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    axes = frame_along(end - start)
    angle = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    ring = radius * np.column_stack([np.cos(angle), np.sin(angle)]) @ axes[:, :2].T
    return loft([start + ring, end + ring])


def blade(radius: float, thickness: float, teeth: int) -> Mesh:
    """A saw blade in the y-z plane, centred at the origin, with `teeth` visible teeth."""
    angle = np.linspace(0, 2 * np.pi, 4 * teeth, endpoint=False)
    r = radius * np.where(np.arange(4 * teeth) % 4 < 2, 1.0, 0.955)
    rim = np.column_stack([np.zeros_like(angle), r * np.cos(angle), r * np.sin(angle)])
    shift = np.array([thickness / 2, 0, 0])
    return loft([rim - shift, rim + shift])


def tube(x0: float, x1: float, outer: float, inner: float, sides: int = 72) -> Mesh:
    """A pipe along x."""
    angle = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    unit = np.column_stack([np.zeros_like(angle), np.cos(angle), np.sin(angle)])
    rings = [unit * r + [x, 0, 0] for x, r in ((x0, outer), (x1, outer), (x1, inner), (x0, inner))]
    points = np.concatenate(rings)
    faces = []
    for k in range(4):
        for i in range(sides):
            a, b = k * sides + i, k * sides + (i + 1) % sides
            c, d = ((k + 1) % 4) * sides + i, ((k + 1) % 4) * sides + (i + 1) % sides
            faces += [(a, b, d), (a, d, c)]
    return points, np.array(faces)


def cells(x0: float, x1: float, corners: Array) -> Mesh:
    """Prisms along x over quadrilaterals (N x 4 x 2, in y-z, counter-clockwise)."""
    count = len(corners)
    if not count:
        return np.zeros((3, 3)), np.array([(0, 0, 0)])
    low = np.concatenate([np.full((count, 4, 1), x0), corners], axis=2)
    high = np.concatenate([np.full((count, 4, 1), x1), corners], axis=2)
    points = np.concatenate([low, high], axis=1).reshape(-1, 3)
    box = np.array([(0, 2, 1), (0, 3, 2), (4, 5, 6), (4, 6, 7), (0, 1, 5), (0, 5, 4), (1, 2, 6), (1, 6, 5), (2, 3, 7), (2, 7, 6),
                    (3, 0, 4), (3, 4, 7)])
    return points, (box[None] + 8 * np.arange(count)[:, None, None]).reshape(-1, 3)
