"""Some parts of a system on their own: what they take from the others becomes an input.

Cutting friction and drives off an arm leaves an Ode of the arm alone, driven by the torques of the
parts that were left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import casadi as ca

from gerotor.assembly.system import System
from gerotor.core.layout import Entry, expand
from gerotor.errors import WiringError, unknown


def cut(system: System, parts: Sequence[str]) -> System:
    """A system of `parts` alone; signals of other parts that they use become inputs, under the same names."""
    known = list(system.parts)
    for name in parts:
        if name not in known:
            raise WiringError(unknown("part", name, known))
    out = System(system.name)
    out.time = system.time
    out.parts = {name: system.parts[name] for name in system.parts if name in parts}
    out._parameters = list(system._parameters)
    used = {s.name() for name in parts for wire in system.parts[name]._wires.values() for s in ca.symvar(wire)}
    out._inputs = [pair for pair in [*system._inputs, *signals_of(system, set(known) - set(parts))] if pair[1].name() in used]
    return out


def signals_of(system: System, parts: set[str]) -> list[tuple[Entry, Any]]:
    """Every state and output of the named parts: its entry and its symbol."""
    out = []
    for name in system.parts:
        if name in parts:
            part = system.parts[name]
            for group, symbols in ((part.component.states, part._states), (part.component.outputs, part._outputs)):
                for key, signal in group.items():
                    out += [(e, symbols[key][k]) for k, e in enumerate(expand(name, key, signal))]
    return out
