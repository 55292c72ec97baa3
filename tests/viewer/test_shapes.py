"""Closed shapes have the volume they should, with outward faces (the sum of signed tetrahedra)."""

import math

import numpy as np
import pytest

from gerotor.viewer.shapes import Mesh, beam, blade, cells, frame_along, rod, tube


def volume(mesh: Mesh) -> float:
    points, faces = mesh
    a, b, c = (points[faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def test_volumes() -> None:
    assert volume(beam((1, 2, 3), (1, 2, 5), 0.5, 0.5, chamfer=0)) == pytest.approx(0.5)
    assert volume(rod((0, 0, 0), (0, 3, 0), 0.2, sides=400)) == pytest.approx(math.pi * 0.04 * 3, rel=1e-4)
    assert volume(tube(-1, 1, 0.5, 0.3, sides=400)) == pytest.approx(2 * math.pi * (0.25 - 0.09), rel=1e-4)
    assert 0.9 < volume(blade(1.0, 0.1, 60)) / (math.pi * 0.1) < 1.0
    square = np.array([[(0, 0), (2, 0), (2, 1), (0, 1)]], dtype=float)
    assert volume(cells(0.0, 3.0, square)) == pytest.approx(6.0)
    assert volume(cells(0.0, 3.0, np.empty((0, 4, 2)))) == 0.0


@pytest.mark.parametrize("direction", [(1, 0, 0), (0, -2, 0), (0, 0, 1), (1, 2, -3)])
def test_frame_along(direction: tuple[float, float, float]) -> None:
    axes = frame_along(direction)
    np.testing.assert_allclose(axes.T @ axes, np.eye(3), atol=1e-12)
    assert np.linalg.det(axes) == pytest.approx(1.0)
    np.testing.assert_allclose(axes[:, 2], np.array(direction) / np.linalg.norm(direction))
