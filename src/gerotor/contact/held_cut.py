"""Cutting force held over a period: the mean of what the passing teeth do until the next sample.

At 80 teeth a second the force of a saw jumps every 12.5 ms. A step of 5 ms that samples it at its begin sees
jumps of the wrong size at the wrong time. Held here is, from sample k to the next,

    F_k = 1/T int F(c_k, t) dt   from t_k to t_k + T                                       (1)

exact in the teeth (teeth.py, (3)), with the saw's centre c_k where it is at t_k: in T it moves by
v_f T, a chip or two. The impulse of every step is then right, whatever its length; what a step longer
than half the passing of a tooth cannot show is the ripple in between.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import casadi as ca

from gerotor.contact.pipe_cut import PipeCut
from gerotor.core.component import Signals
from gerotor.core.layout import Entry, Layout
from gerotor.core.sampled import Sampled
from gerotor.errors import ParameterError


def held_cut(
    name: str, cut: PipeCut, *, period: float, centre: tuple[str, str], gate: str, velocity: tuple[str, str] | None = None
) -> Sampled:
    """Follows the saw's `centre` (paths of y and z) and holds NAME.F.y, NAME.F.z, NAME.M, NAME.n and NAME.P of
    PipeCut, means over each `period`; `gate` is kerf's, `velocity` is needed where the chip follows the actual feed."""
    if cut.feed_speed is None and velocity is None:
        raise ParameterError(f"{name}.velocity: paths of the saw's velocity are needed where feed_speed is None")
    mean = replace(cut, window=period)

    def update(d: Any, r: Any, t: Any) -> tuple[Any, Any]:
        v = r[3:5] if velocity is not None else ca.DM.zeros(2)
        y = mean.output(Signals(), Signals(c=r[:2], v=v, t=t, gate=r[2]))  # (1)
        return d, ca.vertcat(y.F, y.M, y.n, y.P)

    units = {"F.y": "N", "F.z": "N", "M": "N*m", "n": "1", "P": "W"}
    return Sampled(
        name=name, period=period, reads=(*centre, gate, *(velocity or ())),
        holds=Layout(tuple(Entry(f"{name}.{key}", unit) for key, unit in units.items())), update=update,
    )
