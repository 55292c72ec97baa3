"""A plant with a known answer: a lag x' = (k u - x)/T driven from outside, T = 0.1 s."""

import math
from typing import Any

import casadi as ca

from gerotor.core.layout import Entry, Layout
from gerotor.core.ode import Block, Ode
from gerotor.core.sampled import Sampled
from gerotor.simulation.simulation import Simulation

T = 0.1


def lag(**options: Any) -> Simulation:
    """Input u in -2..2, tunable gain k, output y = 2 x; x is guarded at +-10."""
    x, u, k, t = (ca.SX.sym(n) for n in "xukt")
    ode = Ode(
        "lag", Layout((Entry("x", lower=-10, upper=10),)), Layout((Entry("u", lower=-2, upper=2),)),
        Layout((Entry("k", start=1.0, lower=0.0, upper=100.0),)), Layout.of(y="1"),
        (Block("lag", v=(0,), force=(k * u - x) / T),), x, u, k, t, 2 * x,
    )
    return Simulation(ode, **options)


def controlled(command: float) -> Simulation:
    """The same lag under a sampled part that sets u to `command` at every sample."""
    part = Sampled("boss", 1e-3, ("x",), Layout.of(u="1"), lambda d, r, t: (d, ca.SX(command)))
    return lag(parts=[part])


def answer(start: float, u: float, time: float) -> float:
    return u + (start - u) * math.exp(-time / T)
