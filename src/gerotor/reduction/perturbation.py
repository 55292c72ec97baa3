"""Perturbation method: small deviations from a known motion, by linear equations with moving coefficients.

Nominal motion q0(t), v0, a0 without friction and control, by inverse dynamics:

    M(q0) a0 - f(q0, v0, 0) = tau0                                                        (1)

Deviations dq = q - q0, driven by the signals s of the parts that were left out (drives, friction):

    M0 dv' + C0 dv + K0 dq = G0 s - tau0                                                  (2)
    y = y0 + Y_q dq + Y_v dv                                                              (3)

M0, C0, K0, G0, Y are computed at N points along the motion and interpolated linearly, tau0, q0, v0,
y0 by cubics (reduction/interpolation.py). Friction, drives and controllers stay non-linear and see
q0 + dq. The error is of second order in dq. Source: [aarts2004, sec. 6, eqs. 20-32]; there the
cubics run over the corners of the speed profile, here they are split at them.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gerotor.assembly.cut import cut
from gerotor.assembly.system import System
from gerotor.core.linearise import MotionLinearisation
from gerotor.errors import InputError, WiringError
from gerotor.reduction.nominal import Motion, pieces, sample

Array = NDArray[np.float64]
_FORMAT = 1


@dataclass(frozen=True, eq=False)
class Perturbation:
    """Records at all points, piece after piece; `starts` are the pieces' first records."""

    part: str
    parts: tuple[str, ...]
    joints: tuple[str, ...]
    drivers: tuple[str, ...]
    outputs: tuple[str, ...]
    times: Array
    starts: NDArray[np.int64]
    q: Array
    v: Array
    a: Array
    tau: Array
    M: Array
    C: Array
    K: Array
    G: Array
    y: Array
    Yq: Array
    Yv: Array

    @property
    def size(self) -> int:
        return len(self.joints)

    @property
    def duration(self) -> float:
        return float(self.times[-1])

    def state_space(self, t: float) -> tuple[Array, Array, Array]:
        """A, B (of s - tau0 at the joints), C of (2), (3) at a time, positions first: [aarts2004, eqs. 29-32]."""
        k = int(np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self.times) - 2))
        span = self.times[k + 1] - self.times[k]
        share = (t - self.times[k]) / span if span > 0 else 0.0
        M, C, K, Yq, Yv = ((1 - share) * m[k] + share * m[k + 1] for m in (self.M, self.C, self.K, self.Yq, self.Yv))
        n = self.size
        lower = np.linalg.solve(M, np.hstack([-K, -C, np.eye(n)]))
        A = np.vstack([np.hstack([np.zeros((n, n)), np.eye(n)]), lower[:, : 2 * n]])
        return A, np.vstack([np.zeros((n, n)), lower[:, 2 * n :]]), np.hstack([Yq, Yv])

    def save(self, path: str | Path) -> Path:
        """Write everything to an .npz file."""
        path = Path(path)
        if path.suffix != ".npz":
            raise InputError(f"{path}: a perturbation is stored as .npz")
        text = {f.name: list(getattr(self, f.name)) if f.name != "part" else self.part
                for f in fields(self) if f.name in _TEXT}
        arrays = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in _TEXT}
        np.savez(path, about=np.array(json.dumps({"format": _FORMAT, **text})), **arrays)
        return path

    @staticmethod
    def load(path: str | Path) -> Perturbation:
        """Read what `save` wrote; the runs are the same to the last bit."""
        try:
            with np.load(path, allow_pickle=False) as file:
                about = json.loads(str(file["about"]))
                arrays = {f.name: file[f.name] for f in fields(Perturbation) if f.name not in _TEXT}
        except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
            raise InputError(f"{path}: not a perturbation file ({str(error).splitlines()[0]})") from None
        if about.get("format") != _FORMAT:
            raise InputError(f"{path}: format {about.get('format')}, this version reads {_FORMAT}: compute it again")
        values: dict[str, Any] = {k: v if k == "part" else tuple(v) for k, v in about.items() if k != "format"}
        return Perturbation(**values, **arrays)


_TEXT = ("part", "parts", "joints", "drivers", "outputs")


def perturb(
    system: System, parts: Sequence[str], motion: Motion, *, points: int, until: float | None = None, split: bool = True
) -> Perturbation:
    """Linearise `parts` (one of them moves) along `motion` at `points` intervals; all other parts stay as they are.

    `until` reaches beyond the motion's end, at rest; `split=False` runs one cubic over the corners.
    """
    ode = cut(system, parts).ode()
    linear = MotionLinearisation(ode)
    if len(ode.states) != 2 * linear.size:
        raise WiringError(f"{', '.join(parts)}: only positions and velocities are linearised; leave parts with other states out")
    grid = pieces(motion, points, motion.duration if until is None else until, split=split)
    q, v, a = sample(motion, grid)
    if q.shape[1] != linear.size:
        raise InputError(f"the motion has {q.shape[1]} coordinates, {linear.block.name} has {linear.size}")
    times = np.concatenate(grid)
    r, M, C, K, G, y, Yq, Yv = linear.along(q, v, a, t=times)  # (1), (2), (3)
    names = [ode.states.names[i] for i in linear.block.q]
    return Perturbation(
        part=linear.block.name, parts=tuple(parts), joints=tuple(n.rsplit(".", 1)[1] for n in names),
        drivers=tuple(ode.inputs.names), outputs=tuple(ode.outputs.names), times=times,
        starts=np.cumsum([0, *(len(g) for g in grid[:-1])]).astype(np.int64),
        q=q, v=v, a=a, tau=r[:, :, 0], M=M, C=C, K=K, G=G, y=y[:, :, 0], Yq=Yq, Yv=Yv,
    )
