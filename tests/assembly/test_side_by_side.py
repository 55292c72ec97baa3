from dataclasses import dataclass

import numpy as np

from gerotor.assembly.side_by_side import side_by_side
from gerotor.assembly.system import System
from gerotor.core.component import Component, Signals, signals
from gerotor.core.layout import Layout
from gerotor.core.sampled import Sampled
from gerotor.simulation.simulation import Simulation


@dataclass(frozen=True)
class Lag(Component):
    states = signals(y="1")
    inputs = signals(u="1")

    def derivative(self, x: Signals, u: Signals) -> Signals:
        return Signals(y=u.u - x.y)


def lag(name: str) -> System:
    system = System(name)
    part = system.add("lag", Lag())
    part.connect(u=system.input("u", "1") + system.time)
    system.output("twice", "1", 2 * part.y + system.time)
    return system


def test_each_moves_as_alone() -> None:
    both = side_by_side("both", {"a": lag("m").ode(), "b": lag("m").ode()})
    assert both.states.names == ["a.lag.y", "b.lag.y"]
    rec = Simulation(both).run(1.0, 1e-3, inputs={"a.u": 1.0, "b.u": -2.0}, record=["a.lag.y", "b.lag.y", "b.twice"])
    for key, u in (("a", 1.0), ("b", -2.0)):
        alone = Simulation(lag("m").ode()).run(1.0, 1e-3, inputs={"u": u}, record=["lag.y"])
        np.testing.assert_allclose(rec[f"{key}.lag.y"], alone["lag.y"], rtol=1e-14)
    np.testing.assert_allclose(rec["b.twice"], 2 * rec["b.lag.y"] + rec.time)


def test_a_part_moves_under_a_prefix_with_its_machine() -> None:
    part = Sampled("p", 0.01, ("lag.y", "ref.q"), Layout.of(u="1"), lambda d, r, t: (d, r[1] - r[0]))
    moved = part.under("a.", shared=("ref.",))
    assert (moved.name, moved.reads, moved.holds.names) == ("a.p", ("a.lag.y", "ref.q"), ["a.u"])
