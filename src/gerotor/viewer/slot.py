"""The slot a saw leaves in a pipe, from the saw's path alone: which pieces of the wall are gone."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gerotor.contact.pipe_cut import PipeCut
from gerotor.viewer.shapes import Mesh, cells

Array = NDArray[np.float64]
AROUND, ACROSS = 144, 3


class Slot:
    """The wall in the plane of the cut, in AROUND x ACROSS pieces; `advance` removes what the saw has swept."""

    def __init__(self, cut: PipeCut) -> None:
        self.cut = cut
        angle = np.linspace(0, 2 * np.pi, AROUND + 1)
        radius = np.linspace(float(cut.inner_radius), float(cut.outer_radius), ACROSS + 1)
        a, r = np.meshgrid((angle[1:] + angle[:-1]) / 2, (radius[1:] + radius[:-1]) / 2, indexing="ij")
        self._middle = np.column_stack([(r * np.cos(a)).ravel(), (r * np.sin(a)).ravel()])
        corners = []
        for i in range(AROUND):
            for j in range(ACROSS):
                c = [(radius[j], angle[i]), (radius[j + 1], angle[i]), (radius[j + 1], angle[i + 1]), (radius[j], angle[i + 1])]
                corners.append([(p * np.cos(t), p * np.sin(t)) for p, t in c])
        self._corners = np.array(corners)
        self.left = np.ones(len(self._middle), dtype=bool)

    @property
    def fraction(self) -> float:
        """Share of the pieces that are gone."""
        return float(1 - self.left.mean())

    def reset(self) -> None:
        self.left[:] = True

    def advance(self, centres: Any) -> bool:
        """Remove what saw centres (N x 2: y, z) cover; whether anything was removed."""
        before = int(self.left.sum())
        offset = np.array([float(self.cut.pipe_y), float(self.cut.pipe_z)])
        for centre in np.asarray(centres, dtype=float) - offset:
            self.left &= np.hypot(*(self._middle - centre).T) > float(self.cut.saw_radius)
        return int(self.left.sum()) < before

    def mesh(self) -> Mesh:
        """What is left, as wide as the kerf."""
        half = float(self.cut.kerf_width) / 2
        return cells(-half, half, self._corners[self.left])
