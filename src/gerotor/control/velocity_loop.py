"""Velocity and current loop of servo drives, sampled fast.

    i_ref = clip((u - K_d S v) / c, -i_max, i_max)                                        (1)
    i <- i + (1 - exp(-w_c T)) (i_ref - i)                                                (2)

u is the command of the slower position loop, held; S v the joints' velocity seen from the drives;
c the force at the joint per current (gear ratio times motor constant). (2) is a current loop of
bandwidth w_c, sampled; with an infinite bandwidth the current is its reference. A drive whose
command or velocity is not finite keeps its current.
Source: [aarts2004, sec. 5 and fig. 4]: blocks D and C; their inner form is ours.
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


def velocity_loop(
    name: str,
    *,
    period: float,
    command: Sequence[str],
    measured: Sequence[str],
    current: Sequence[str],
    Kd: PerAxis,
    constant: PerAxis,
    limit: PerAxis,
    bandwidth: PerAxis = math.inf,
    start: PerAxis = 0.0,
    coordinates: Any = None,
    unit: str = "A",
) -> Sampled:
    """Reads `command` and the joints' velocities `measured`, holds the motor currents; `start` is the first current."""
    n = len(current)
    if not n or len(command) != n or len(measured) != n:
        raise ParameterError(f"{name}: {len(command)} commands, {len(measured)} measured, {n} currents: must be as many of each")
    d, c = (ca.DM(per_axis(f"{name}.{k}", v, n)) for k, v in (("Kd", Kd), ("constant", constant)))
    if not np.all(c.full()):
        raise ParameterError(f"{name}.constant: must not be 0")
    top = ca.DM(per_axis(f"{name}.limit", limit, n, unit=unit, above=0))
    fast = per_axis(f"{name}.bandwidth", bandwidth, n, unit="rad/s", above=0, infinite=True)
    share = ca.DM([1 - math.exp(-w * period) for w in fast])
    S = np.eye(n) if coordinates is None else np.asarray(coordinates, dtype=float)
    if S.shape != (n, n) or not np.isfinite(S).all():
        raise ParameterError(f"{name}.coordinates has shape {S.shape}: must be {n} x {n} finite numbers")

    def update(state: Any, r: Any, t: Any) -> tuple[Any, Any]:
        i = ca.SX(state)
        wanted = (r[:n] - d * (ca.sparsify(ca.SX(S)) @ r[n:])) / c
        usable = ca.fabs(wanted) < 1e300
        i_ref = ca.fmax(ca.fmin(wanted, top), -top)  # (1)
        i = ca.if_else(usable, i + share * (i_ref - i), i)  # (2)
        return i, i

    first = per_axis(f"{name}.start", start, n, unit=unit)
    return Sampled(
        name=name, period=float(period), update=update, reads=(*command, *measured),
        holds=Layout(tuple(Entry(k, unit) for k in current)),
        states=Layout(tuple(Entry(f"current.{k}", unit, start=first[k]) for k in range(n))),
    )
