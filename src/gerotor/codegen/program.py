"""A closed loop as functions of flat vectors, ready to be compiled or interpreted.

Vectors: x states of the Ode, m the integrator's memory, w every held signal (outside inputs,
tables, outputs of sampled parts), d discrete states, p tunable parameters, t time, h step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import casadi as ca

from gerotor.core.layout import Layout
from gerotor.core.ode import Ode
from gerotor.core.sampled import Sampled
from gerotor.core.table import Table
from gerotor.errors import WiringError, unknown
from gerotor.integrators.base import Integrator, Step


@dataclass(frozen=True)
class Slot:
    """Where a part's discrete state and held signals stand in d and w."""

    d: slice
    w: slice


class Program:
    """The functions `step`, `warm`, `start`, `outputs` and one `part` each sampled part.

    Within one sample tables come first, then the parts in the given order, each seeing what those
    before it have just set.
    """

    def __init__(self, ode: Ode, integrator: Integrator, parts: Sequence[Sampled] = (), tables: Sequence[Table] = ()) -> None:
        self.ode, self.integrator = ode, integrator
        self.parts, self.tables = tuple(parts), tuple(tables)
        produced = [e for table in tables for e in table.holds] + [e for part in parts for e in part.holds]
        taken = {e.name for e in produced}
        outside = [e for e in ode.inputs if e.name not in taken]
        for entry in produced:
            if entry.name in ode.states or entry.name in ode.outputs:
                raise WiringError(f"{entry.name} is a state or output of {ode.name}: a sampled part cannot set it")
        starts = {e.name: e for e in ode.inputs}
        held = [starts[e.name] if e.name in starts and e.start == 0 else e for e in produced]
        self.outside = Layout(tuple(outside))
        self.held = Layout(tuple(outside + held))
        self.discrete = Layout(
            tuple(type(e)(f"{part.name}.{e.name}", e.unit, start=e.start) for part in parts for e in part.states)
        )
        self.x, self.p, self.t = ode.x, ode.p, ode.t
        self.w = ca.vertcat(*[ca.SX.sym(n) for n in self.held.names]) if len(self.held) else ca.SX(0, 1)
        self._inputs = ca.vertcat(*[self.w[self.held.index(n)] for n in ode.inputs.names]) if len(ode.inputs) else ca.SX(0, 1)

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """Slots of the parts, in order."""
        out, d, w = [], 0, len(self.outside) + sum(len(t.holds) for t in self.tables)
        for part in self.parts:
            out.append(Slot(slice(d, d + len(part.states)), slice(w, w + len(part.holds))))
            d, w = d + len(part.states), w + len(part.holds)
        return tuple(out)

    @cached_property
    def table_offsets(self) -> tuple[int, ...]:
        out, w = [], len(self.outside)
        for table in self.tables:
            out.append(w)
            w += len(table.holds)
        return tuple(out)

    @cached_property
    def wired(self) -> Ode:
        """The Ode with all held signals as its inputs, in the order of w: a step gathers nothing."""
        if not len(self.ode.inputs):
            return replace(self.ode, inputs=self.held, u=self.w)
        fields = ("force", "mass", "rate")
        keys = [(k, key) for k, b in enumerate(self.ode.blocks) for key in fields if getattr(b, key) is not None]
        given = [self.ode.y, *(getattr(self.ode.blocks[k], key) for k, key in keys)]
        y, *rest = ca.substitute(given, [self.ode.u], [self._inputs])
        blocks = list(self.ode.blocks)
        for (k, key), value in zip(keys, rest, strict=True):
            changed: dict[str, Any] = {key: value}
            blocks[k] = replace(blocks[k], **changed)
        return replace(self.ode, inputs=self.held, u=self.w, y=y, blocks=tuple(blocks))

    @cached_property
    def method(self) -> Step:
        return self.integrator.build(self.wired)

    @cached_property
    def memory(self) -> int:
        """How many numbers the integrator remembers."""
        return self.method.memory

    def signal(self, name: str) -> Any:
        """Any state, held signal, parameter or output as an expression of (x, w, p, t)."""
        if name in self.held:
            return self.w[self.held.index(name)]
        if name not in self.ode.states and name not in self.ode.parameters and name not in self.ode.outputs:
            raise WiringError(unknown("signal", name, self.readable))
        return self.wired.signal(name)

    @property
    def readable(self) -> list[str]:
        return self.held.names + self.ode.states.names + self.ode.outputs.names + self.ode.parameters.names

    def functions(self) -> dict[str, Any]:
        """All functions by name."""
        method = self.method
        x, m, w = ca.MX.sym("x", len(self.ode.states)), ca.MX.sym("m", method.memory), ca.MX.sym("w", len(self.held))
        p, t, h = ca.MX.sym("p", len(self.ode.parameters)), ca.MX.sym("t"), ca.MX.sym("h")
        out = {"step": ca.Function("gerotor_step", [x, m, w, p, t, h], self._within(method.step(x, m, w, p, t, h), p))}
        if method.warm is not None:
            out["warm"] = ca.Function("gerotor_warm", [x, m, w, p, t, h], self._within(method.warm(x, m, w, p, t, h), p))
        if method.start is not None:
            out["start"] = ca.Function("gerotor_start", [x, w, p, t], [method.start(x, w, p, t)])
        out["outputs"] = ca.Function("gerotor_outputs", [self.x, self.w, self.p, self.t], [self.wired.y], {"cse": True})
        return out | self.part_functions

    def _within(self, stepped: Any, p: Any) -> list[Any]:
        """A step's (x, m, e) with its states kept within their bounds, where the method lets itself be corrected.

        What lay outside counts as an error.
        """
        x, m, e = stepped
        if not self.ode.bounds:
            return [x, m, e]
        found, error = ca.SX.sym("x", x.numel()), ca.SX.sym("e", x.numel())
        kept = self.ode.bounded(found)
        sum_ = error + 0
        for b in self.ode.bounds:
            sum_[b.index] = ca.fabs(error[b.index]) + ca.fabs(found[b.index] - kept[b.index])
        within = ca.Function("within", [found, error, self.p], [kept if self.method.divisible else found, sum_], {"cse": True})
        x, e = within(x, e, p)
        return [x, m, e]

    @cached_property
    def part_functions(self) -> dict[str, Any]:
        """Those of the sampled parts that are compiled."""
        return {f"part{k}": self._part(k, part) for k, part in enumerate(self.parts) if part.native}

    def _part(self, k: int, part: Sampled) -> Any:
        d = ca.SX.sym("d", len(part.states))
        r = ca.vertcat(*[self.signal(n) for n in part.reads]) if part.reads else ca.SX(0, 1)
        d_next, w_next = part.update(d, r, self.t)
        for value, layout, what in ((d_next, part.states, "states"), (w_next, part.holds, "held signals")):
            if ca.SX(value).numel() != len(layout):
                raise WiringError(f"{part.name}: update gives {ca.SX(value).numel()} {what}, {len(layout)} are declared")
        return ca.Function(f"gerotor_part{k}", [d, self.x, self.w, self.p, self.t], [d_next, w_next], {"cse": True})

    def reads(self, part: Sampled) -> Any:
        """A function (x, w, p, t) of what a part reads, for parts written in Python."""
        r = ca.vertcat(*[self.signal(n) for n in part.reads]) if part.reads else ca.SX(0, 1)
        return ca.Function("reads", [self.x, self.w, self.p, self.t], [r])
