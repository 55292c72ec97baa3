"""A small closed loop with everything a program can have: two blocks, a tunable, outputs, a table, two rates."""

from typing import Any

import casadi as ca
import numpy as np

from gerotor.core.layout import Entry, Layout
from gerotor.core.ode import Block, Ode
from gerotor.core.sampled import Sampled
from gerotor.core.table import Table
from gerotor.simulation.simulation import Simulation


def plant() -> Ode:
    """A lagged force on a pendulum with a spring; input i, tunable k, outputs of both kinds."""
    x, i, k, t = ca.SX.sym("x", 3), ca.SX.sym("i"), ca.SX.sym("k"), ca.SX.sym("t")
    force = x[0] - k * ca.sin(x[1]) - 0.4 * x[2] * ca.sqrt(1 + x[2] ** 2) + 0.1 * ca.sin(3 * t)
    blocks = (
        Block("valve", v=(0,), force=20 * (5 * i - x[0])),
        Block("arm", q=(1,), v=(2,), force=force, mass=1 + 0.2 * ca.cos(x[1])),
    )
    states = Layout((Entry("f", "N"), Entry("q", "rad", lower=-3, upper=3), Entry("v", "rad/s")))
    return Ode("plant", states, Layout.of(i="A"), Layout((Entry("k", "N", start=4.0),)), Layout.of(power="W", height="m"),
               blocks, x, i, k, t, ca.vertcat(x[0] * x[2], ca.cos(x[1])))


def controller(native: bool = True) -> Sampled:
    """PI on q against ref.q every 20 ms, reading a filtered signal of the faster part."""
    pack = ca.vertcat if native else lambda *v: np.array(v)

    def update(d: Any, r: Any, t: Any) -> tuple[Any, Any]:
        error = r[1] - r[0]
        total = d[0] + 0.02 * error
        return pack(total), pack(2 * error + total - 0.1 * r[2])

    return Sampled("pi", 0.02, ("q", "ref.q", "speed"), Layout.of(i="A"), update, Layout.of(total="rad*s"), native)


def filtered(native: bool = True) -> Sampled:
    """A filtered speed every 5 ms, with a trace of time and of an output."""
    pack = ca.vertcat if native else lambda *v: np.array(v)

    def update(d: Any, r: Any, t: Any) -> tuple[Any, Any]:
        new = d[0] + 0.3 * (r[0] - d[0]) + 1e-3 * r[1]
        return pack(new), pack(new, 2 * t)

    return Sampled("filter", 0.005, ("v", "power"), Layout.of(speed="rad/s", clock="s"), update, Layout.of(s="rad/s"), native)


def table() -> Table:
    return Table("steps", 0.1, np.array([[0.0], [0.5], [-0.2], [0.3]]), Layout((Entry("ref.q", "rad"),)))


def closed_loop(method: Any = "extrapolated", compiled: bool | None = None, native: bool = True) -> Simulation:
    return Simulation(plant(), [filtered(native), controller(native)], [table()], method, compiled)


RECORD = ["q", "v", "f", "i", "ref.q", "speed", "clock", "power", "height"]
