"""Modes of a linear model: how it swings, how fast that dies, which states take part.

    A r = s r,   l A = s l,   natural frequency |s|,   damping ratio -Re s / |s|             (1)
    participation of state i in mode k: |l_ki r_ik|, scaled to a sum of 1                  (2)

Source: [perez1982] for (2).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gerotor.core.linearise import StateSpace

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Mode:
    """One eigenvalue (of a conjugate pair the one with positive imaginary part)."""

    eigenvalue: complex
    frequency: float  # rad/s
    damping: float
    participation: dict[str, float]

    @property
    def stable(self) -> bool:
        return self.eigenvalue.real < 0

    def main(self, count: int = 3) -> list[str]:
        """The states that take part most."""
        return sorted(self.participation, key=self.participation.__getitem__, reverse=True)[:count]


def modes(model: StateSpace) -> list[Mode]:
    """All modes, slowest first. Repeated eigenvalues without full eigenvectors share their participation evenly."""
    values, right = np.linalg.eig(model.A)
    try:
        left = np.linalg.inv(right)
    except np.linalg.LinAlgError:
        left = np.linalg.pinv(right)
    share = np.abs(left.T * right)  # (2)
    share = share / np.maximum(share.sum(axis=0), 1e-300)
    out = []
    for k, s in enumerate(values):
        if s.imag < -1e-12 * max(abs(s), 1e-300):
            continue
        size = float(abs(s))
        damping = float(-s.real / size) if size > 0 else 0.0  # (1)
        out.append(Mode(complex(s), size, damping, dict(zip(model.states.names, share[:, k].tolist(), strict=True))))
    return sorted(out, key=lambda m: m.frequency)
