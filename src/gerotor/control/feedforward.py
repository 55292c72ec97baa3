"""Feed-forward: a command plus a gain times any signal, limited, sampled.

    u_k = sat(c_k + K s_k)                                                                (1)

Typical: s is the set-point's velocity and K the valve current per joint speed. A signal that is not
finite adds nothing; a command that is not finite counts as 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import casadi as ca

from gerotor.control.pid import PerAxis, per_axis
from gerotor.core.layout import Entry, Layout
from gerotor.core.sampled import Sampled
from gerotor.errors import ParameterError


def feedforward(
    name: str,
    *,
    period: float,
    base: Sequence[str],
    signal: Sequence[str],
    command: Sequence[str],
    gain: PerAxis,
    unit: str,
    limit: PerAxis = math.inf,
) -> Sampled:
    """Reads the command `base` (say, a PID's) and `signal`, holds their sum (1) as `command`."""
    n = len(command)
    if not n or len(base) != n or len(signal) != n:
        raise ParameterError(
            f"{name}: {len(base)} base, {len(signal)} signal, {n} command signals: must be as many of each"
        )
    K = ca.DM(per_axis(f"{name}.gain", gain, n))
    top = ca.DM(per_axis(f"{name}.limit", limit, n, unit=unit, above=0, infinite=True))

    def update(state: Any, r: Any, t: Any) -> tuple[Any, Any]:
        r = ca.if_else(ca.fabs(r) < 1e300, r, 0)
        return state, ca.fmax(ca.fmin(r[:n] + K * r[n:], top), -top)  # (1)

    return Sampled(
        name=name,
        period=period,
        reads=(*base, *signal),
        holds=Layout(tuple(Entry(c, unit) for c in command)),
        update=update,
    )
