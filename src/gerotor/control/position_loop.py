"""Position loop of servo drives: PI on the position error, feed-forward of the set-point, sampled.

    e = r - S q,   I <- I + K_i T e  (within +- I_max)                                    (1)
    u = K_p e + I + J r'' + B r' + F tanh(r' / v_0)                                       (2)

r, r', r'' are set-points in drive coordinates, S q the joints seen from the drives (S = 1 without
coupling). J is the inertia, B the viscous and F the Coulomb level fed forward; where the velocity
loop feeds back the bare velocity, B has to contain its gain, or the joint lags. I is used before it
is updated. A drive whose set-point or position is not finite keeps its last u and I.
Source: [aarts2004, sec. 5 and fig. 4]: blocks PI and FF; their inner form is ours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import casadi as ca
import numpy as np

from gerotor.control.pid import PerAxis, per_axis
from gerotor.core.layout import Entry, Layout
from gerotor.core.sampled import Sampled
from gerotor.errors import ParameterError

_FINITE = 1e300


def position_loop(
    name: str,
    *,
    period: float,
    measured: Sequence[str],
    reference: Sequence[str],
    reference_velocity: Sequence[str],
    reference_acceleration: Sequence[str],
    command: Sequence[str],
    Kp: PerAxis,
    Ki: PerAxis,
    inertia: PerAxis = 0.0,
    viscous: PerAxis = 0.0,
    coulomb: PerAxis = 0.0,
    coulomb_velocity: float = 1e-3,
    integral_limit: PerAxis = math.inf,
    start: PerAxis = 0.0,
    coordinates: Any = None,
    unit: str = "N*m",
) -> Sampled:
    """One drive for each name in `command`; `coordinates` is S, `start` the first I (say, the static load)."""
    n = len(command)
    given = (measured, reference, reference_velocity, reference_acceleration)
    if not n or any(len(g) != n for g in given):
        raise ParameterError(f"{name}: {', '.join(str(len(g)) for g in given)} signals for {n} commands: must be as many of each")
    rules = {"Kp": Kp, "Ki": Ki, "inertia": inertia, "viscous": viscous, "coulomb": coulomb}
    p, i, J, B, F = (ca.DM(per_axis(f"{name}.{k}", v, n)) for k, v in rules.items())
    top = ca.DM(per_axis(f"{name}.integral_limit", integral_limit, n, unit=unit, above=0, infinite=True))
    per_axis(f"{name}.coulomb_velocity", coulomb_velocity, 1, unit="rad/s", above=0)
    first = per_axis(f"{name}.start", start, n, unit=unit)
    S = np.eye(n) if coordinates is None else np.asarray(coordinates, dtype=float)
    if S.shape != (n, n) or not np.isfinite(S).all():
        raise ParameterError(f"{name}.coordinates has shape {S.shape}: must be {n} x {n} finite numbers")
    T = float(period)

    def update(state: Any, r: Any, t: Any) -> tuple[Any, Any]:
        integral, held = ca.vertsplit(ca.SX(state), n)
        q, target, speed, pull = ca.vertsplit(r, n)
        error = target - ca.sparsify(ca.SX(S)) @ q  # (1)
        feed = J * pull + B * speed + F * ca.tanh(speed / coulomb_velocity)
        u = p * error + integral + feed  # (2)
        I = ca.fmax(ca.fmin(integral + T * i * error, top), -top)  # (1)
        usable = ca.fabs(u) < _FINITE
        u, I = ca.if_else(usable, u, held), ca.if_else(usable, I, integral)
        return ca.vertcat(I, u), u

    states = [Entry(f"integral.{k}", unit, start=first[k]) for k in range(n)]
    return Sampled(
        name=name, period=T, update=update,
        reads=(*measured, *reference, *reference_velocity, *reference_acceleration),
        holds=Layout(tuple(Entry(c, unit) for c in command)),
        states=Layout((*states, *(Entry(f"command.{k}", unit, start=first[k]) for k in range(n)))),
    )
