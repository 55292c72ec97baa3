"""Taking up and dropping a load: its weight comes on and off smoothly.

    s_k moves towards 1 (taken) or 0 (dropped) by T / T_u a sample                         (1)
    m_k = m s_k^2 (3 - 2 s_k)                                                             (2)

The load is taken up at the speed of the tool and leaves with it: positions, speeds and pressures
with storage do not jump, and those without storage move with the weight.
"""

from __future__ import annotations

from typing import Any

import casadi as ca

from gerotor.core.component import check_range
from gerotor.core.layout import Layout
from gerotor.core.sampled import Sampled


def take_up(name: str, *, period: float, command: str, mass_signal: str, mass: float, time: float) -> Sampled:
    """Reads `command` (above 0.5: hold the load) and holds `mass_signal`; `time` is T_u, `mass` m."""
    check_range(f"{name}.mass", float(mass), "kg", {"least": 0})
    check_range(f"{name}.time", float(time), "s", {"above": 0})
    pace = period / time

    def update(d: Any, r: Any, t: Any) -> tuple[Any, Any]:
        s = ca.fmin(ca.fmax(d + ca.if_else(r > 0.5, pace, -pace), 0), 1)  # (1)
        return s, mass * s * s * (3 - 2 * s)  # (2)

    return Sampled(
        name=name, period=period, reads=(command,), holds=Layout.of(**{mass_signal: "kg"}), states=Layout.of(share="1"),
        update=update,
    )
