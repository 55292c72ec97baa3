"""Latch: signals followed while a condition holds, kept as they were when it ended.

    w_k = r_k   while c_k > 0,   w_k = w_(k-1)   else                                     (1)

Placed before the part that changes the condition, it keeps the last values before the change: parts
of a run act in order, and what a part reads is computed with what was held until then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import casadi as ca

from gerotor.core.layout import Layout
from gerotor.core.sampled import Sampled
from gerotor.errors import ParameterError


def latch(name: str, *, period: float, reads: Sequence[str], condition: Sequence[str], holds: Layout) -> Sampled:
    """One signal in `reads` and one in `condition` for each in `holds`, whose start values are kept until then."""
    n = len(holds)
    if not n or len(reads) != n or len(condition) != n:
        raise ParameterError(f"{name}: {len(reads)} reads, {len(condition)} conditions, {n} holds: must be as many of each")

    def update(d: Any, r: Any, t: Any) -> tuple[Any, Any]:
        w = ca.if_else(r[n:] > 0, r[:n], d)  # (1)
        return w, w

    return Sampled(name=name, period=period, reads=(*reads, *condition), holds=holds, states=holds, update=update)
