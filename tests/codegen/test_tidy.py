import math

import casadi as ca
import numpy as np
import pytest

from gerotor.assembly.system import System
from gerotor.codegen.tidy import tidy
from gerotor.core.component import Component, Signals, signals
from gerotor.simulation.simulation import Simulation


def source(function) -> str:
    generator = ca.CodeGenerator("k.c")
    generator.add(function)
    return generator.dump()


def test_elements_are_read_and_written_without_tests() -> None:
    x, y = ca.SX.sym("x", 3), ca.SX.sym("y", 2)
    before = source(ca.Function("f", [x, y], [ca.fmin(x[2], y[0]) + x[0] * x[0], x[1] * y[1]]))
    after = tidy(before)
    assert "arg[0]? arg[0][2]" in before
    assert "if (res[1]!=0)" in before
    for gone in ("arg[0]? arg", "arg[1]? arg", "!=0) res", "return fmin("):
        assert gone not in after
    assert "none[3]" in after
    assert "static inline casadi_real casadi_sq(" in after


class Limits(Component):
    """A state whose rate is a limited input."""

    states = signals(x="1")
    inputs = signals(u="1")

    def check(self, path: str) -> None:
        pass

    def derivative(self, x: Signals, u: Signals) -> Signals:
        return Signals(x=ca.fmin(ca.fmax(u.u, -1), 2))


@pytest.mark.parametrize(
    ("u", "rate"), [(0.5, 0.5), (7.0, 2.0), (-7.0, -1.0), (math.inf, 2.0), (-math.inf, -1.0), (math.nan, -1.0)]
)
def test_limits_answer_as_the_virtual_machine_does(u: float, rate: float) -> None:
    ends = []
    for compiled in (True, False):
        system = System("s")
        system.add("a", Limits()).connect(u=system.input("u", "1"))
        run = Simulation(system.ode(), method="rk4", compiled=compiled)
        world = run.world(1.0)
        world.w[0] = u
        run.kernel.run(world, 1)
        ends.append(float(world.x[0]))
    assert ends == pytest.approx([rate, rate])
    assert np.isfinite(ends).all()
