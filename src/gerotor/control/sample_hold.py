"""Sample and hold: signals read every period and kept.

    w_k = r_k                                                                            (1)

Placed before the controllers it reads what the last commands led to, at the end of their time. A
model without storage answers a new command at once: read after the controllers, its pressures show
the jump of the command, not the motion.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gerotor.core.layout import Layout
from gerotor.core.sampled import Sampled
from gerotor.errors import ParameterError


def sample_hold(name: str, *, period: float, reads: Sequence[str], holds: Layout) -> Sampled:
    """One signal in `reads` for each in `holds`."""
    if len(reads) != len(holds):
        raise ParameterError(f"{name}: {len(reads)} reads, {len(holds)} holds: must be as many of each")

    def update(d: Any, r: Any, t: Any) -> tuple[Any, Any]:
        return d, r  # (1)

    return Sampled(name=name, period=period, reads=tuple(reads), holds=holds, update=update)
