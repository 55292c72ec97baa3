"""PID controllers side by side, sampled, with held commands.

    e_k = S (r_k - y_k),   I_k = I_(k-1) + T e_k                                          (1)
    D_k = (tau D_(k-1) + e_k - e_(k-1)) / (tau + T)                                       (2)
    u_k = sat(K_d D_k + K_p e_k + K_i I_k)                                                (3)

Source: [kim2021, eq. 30], made discrete; with tau = 0, (2) is the plain backward difference. The
source leaves the following open; here it is:

- At the first sample e_(k-1) is taken equal to e_k, so D = 0: no kick from an initial error.
- I starts at 0 and is updated before it is used.
- anti_windup "none": I grows while the command is at its limit, as (1) says. "conditional": I keeps
  its value at samples where the command is at its limit and the error would push it further.
  "back-calculation": at the limit I is led back within `tracking_time` T_t,
      I_k <- I_k + T / (T_t K_i) (u_k - u before the limit)                               (4)
- An axis whose set-point or measurement is not finite keeps its last command and its memory (0 before
  its first finite sample), and goes on when the numbers come back.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import casadi as ca

from gerotor.core.component import check_range
from gerotor.core.layout import Entry, Layout
from gerotor.core.sampled import Sampled
from gerotor.errors import ParameterError

PerAxis = float | Sequence[float]
AntiWindup = Literal["none", "conditional", "back-calculation"]
_FINITE = 1e300  # CasADi has no isfinite; a comparison with NaN or infinity fails


def pid(
    name: str,
    *,
    period: float,
    measured: Sequence[str],
    reference: Sequence[str],
    command: Sequence[str],
    Kp: PerAxis,
    Ki: PerAxis,
    Kd: PerAxis,
    limit: PerAxis,
    unit: str,
    error_scale: PerAxis = 1.0,
    anti_windup: AntiWindup = "none",
    tracking_time: PerAxis | None = None,
    filter_time: PerAxis = 0.0,
) -> Sampled:
    """One axis for each name in `command`; gains, scales and limits are one number or one an axis.

    `limit` may be math.inf. `unit` is that of the command; gains are per unit of the scaled error
    (error_scale = 180 / pi for gains per degree of a joint in rad).
    """
    n = len(command)
    if not n or len(measured) != n or len(reference) != n:
        raise ParameterError(
            f"{name}: {len(measured)} measured, {len(reference)} reference and {n} command signals: must be as many of each"
        )
    check_range(f"{name}.period", float(period), "s", {"above": 0})
    p, i, d = (ca.DM(per_axis(f"{name}.{k}", v, n)) for k, v in (("Kp", Kp), ("Ki", Ki), ("Kd", Kd)))
    scale = ca.DM(per_axis(f"{name}.error_scale", error_scale, n))
    tau = ca.DM(per_axis(f"{name}.filter_time", filter_time, n, unit="s", least=0))
    top = ca.DM(per_axis(f"{name}.limit", limit, n, unit=unit, above=0, infinite=True))
    T = float(period)
    lead_back = _lead_back(name, anti_windup, tracking_time, i, T)

    def update(state: Any, r: Any, t: Any) -> tuple[Any, Any]:
        integral, before, derivative, started, held = ca.vertsplit(ca.SX(state), n)
        error = scale * (r[n:] - r[:n])  # (1)
        usable = ca.fabs(error) < _FINITE
        error = ca.if_else(usable, error, 0)
        change = ca.if_else(started > 0, error - before, 0)
        D = (tau * derivative + change) / (tau + T)  # (2)
        I = integral + T * error  # (1)
        raw = d * D + p * error + i * I  # (3)
        if anti_windup == "conditional":
            further = ca.logic_and(ca.fabs(raw) > top, raw * i * error > 0)
            I = ca.if_else(further, integral, I)
            raw = d * D + p * error + i * I
        u = ca.fmax(ca.fmin(raw, top), -top)  # (3)
        if anti_windup == "back-calculation":
            I = I + lead_back * (u - raw)  # (4)
        keep = [
            ca.if_else(usable, new, old)
            for new, old in ((I, integral), (error, before), (D, derivative), (1, started), (u, held))
        ]
        return ca.vertcat(*keep), keep[-1]

    memory = ("integral", "error", "derivative", "started", "command")
    return Sampled(
        name=name,
        period=T,
        reads=(*measured, *reference),
        holds=Layout(tuple(Entry(c, unit) for c in command)),
        states=Layout(tuple(Entry(f"{m}.{k}") for m in memory for k in range(n))),
        update=update,
    )


def per_axis(
    path: str,
    value: PerAxis,
    n: int,
    *,
    unit: str = "1",
    above: float | None = None,
    least: float | None = None,
    infinite: bool = False,
) -> list[float]:
    """One number for all axes, or one an axis, each finite (or +inf where allowed) and in range."""
    values = [float(value)] * n if isinstance(value, int | float) else [float(v) for v in value]
    if len(values) != n:
        raise ParameterError(f"{path} has {len(values)} values: must be 1 or {n}, one an axis")
    for k, v in enumerate(values):
        if not (infinite and v == math.inf):
            check_range(f"{path}[{k}]", v, unit, {"above": above, "least": least})
    return values


def _lead_back(name: str, anti_windup: str, tracking_time: PerAxis | None, Ki: Any, period: float) -> Any:
    """T / (T_t K_i) of (4), 0 for axes without integral action."""
    known = ("none", "conditional", "back-calculation")
    if anti_windup not in known:
        raise ParameterError(f"{name}.anti_windup = {anti_windup!r}: must be one of {', '.join(known)}")
    if (anti_windup == "back-calculation") != (tracking_time is not None):
        raise ParameterError(f"{name}.tracking_time: give it with anti_windup back-calculation, and only then")
    if tracking_time is None:
        return 0
    n = Ki.numel()
    times = per_axis(f"{name}.tracking_time", tracking_time, n, unit="s", least=period)
    return ca.DM([period / (times[k] * float(Ki[k])) if float(Ki[k]) else 0.0 for k in range(n)])
