"""What the locked joints of a machine remember between samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from gerotor.control.latch import latch
from gerotor.control.sample_hold import sample_hold
from gerotor.core.layout import Entry, Layout
from gerotor.core.sampled import Sampled
from gerotor.machines.actuators.base import Fitted
from gerotor.mechanics.inverse_dynamics import inverse_dynamics
from gerotor.mechanics.tree import Tree


def resting_forces(tree: Tree, q: Any) -> NDArray[np.float64]:
    """The joint forces that hold gravity at positions q."""
    zero = ca.DM.zeros(tree.size)
    return np.array(ca.DM(inverse_dynamics(tree, ca.DM(q), zero, zero))).ravel()


def with_memory(
    tree: Tree, actuators: Mapping[str, Fitted], controllers: Sequence[Sampled], period: float, q: Any
) -> list[Sampled]:
    """`controllers` between the latch of what was when valves closed and the sampling of restart speeds."""
    memories = {name: a.memory for name, a in actuators.items() if a.memory is not None}
    if not memories:
        return list(controllers)
    reads: list[str] = []
    condition: list[str] = []
    holds: list[Entry] = []
    forces = resting_forces(tree, q)
    for name, memory in memories.items():
        k = tree.names.index(name)
        start = memory.start(float(forces[k]), float(q[k]))
        reads += memory.kept.values()
        condition += [memory.opened] * len(memory.kept)
        holds += [Entry(held, "Pa", start=start[held]) for held in memory.kept]
    before = [latch("closing", period=period, reads=reads, condition=condition, holds=Layout(tuple(holds)))] if holds else []
    after = sample_hold(
        "restart", period=period, reads=[m.restart for m in memories.values()],
        holds=Layout(tuple(Entry(f"{name}.r", "rad/s") for name in memories)),
    )
    return [*before, *controllers, after]
