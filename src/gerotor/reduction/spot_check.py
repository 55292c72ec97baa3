"""How far the linear equations of a perturbation run are from the non-linear ones, at a few instants.

At a deviation (dq, dv) and the driving signals s the non-linear model accelerates with a, the linear
one with a0 + dv'. Their difference

    e = M(q0 + dq)^-1 (f(q0 + dq, v0 + dv, s)) - (a0 + dv')                              (1)

is of second order in (dq, dv) where the interpolation is exact, and costs one evaluation: no second run.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gerotor.assembly.cut import cut
from gerotor.assembly.system import System
from gerotor.core.linearise import MotionLinearisation
from gerotor.errors import InputError
from gerotor.reduction.interpolation import cubic, linear
from gerotor.reduction.perturbation import Perturbation

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SpotCheck:
    """Differences at the checked instants: force in N m or N, acceleration, both instants x joints."""

    times: Array
    force: Array
    acceleration: Array

    @property
    def worst(self) -> float:
        """Largest force the linear model leaves out."""
        return float(np.abs(self.force).max())


def spot_check(system: System, record: Perturbation, times: Array, dq: Array, dv: Array) -> SpotCheck:
    """(1) at `times`, with the deviations (instants x joints) of a run; s cancels where it drives the joints directly."""
    t = np.atleast_1d(np.asarray(times, dtype=float))
    dq, dv = np.atleast_2d(dq), np.atleast_2d(dv)
    if t.min() < 0 or t.max() > record.duration or dq.shape != (len(t), record.size) or dv.shape != dq.shape:
        raise InputError(f"spot check: instants within 0 to {record.duration:g} s, deviations {len(t)} x {record.size}")
    model = MotionLinearisation(cut(system, record.parts).ode(), record.part)
    q0, v0, tau0 = (cubic(record.times, record.starts, z, t) for z in (record.q, record.v, record.tau))
    a0 = linear(record.times, record.starts, record.a, t)
    M, C, K = (linear(record.times, record.starts, z.reshape(len(record.times), -1), t).reshape(len(t), record.size, record.size)
               for z in (record.M, record.C, record.K))
    exact = model.along(q0 + dq, v0 + dv, a0, t=t)
    force = exact[0][:, :, 0] - tau0 - (C @ dv[:, :, None] + K @ dq[:, :, None])[:, :, 0]
    return SpotCheck(t, force, np.asarray(np.linalg.solve(M, force[:, :, None])[:, :, 0], dtype=np.float64))  # (1)
