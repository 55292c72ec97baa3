"""The loop of loop.c on CasADi's virtual machine, for machines without a C compiler."""

from __future__ import annotations

from typing import Any

import numpy as np

from gerotor.codegen.program import Program
from gerotor.codegen.world import CALLS, PARTS, World


class _Call:
    """A CasADi function on fixed buffers: no allocation a call."""

    def __init__(self, function: Any) -> None:
        self.buffer, self.evaluate = function.buffer()
        self.arguments = [np.zeros(function.size_in(i)) for i in range(function.n_in())]
        self.results = [np.zeros(function.size_out(i)) for i in range(function.n_out())]
        for i, a in enumerate(self.arguments):
            if a.size:
                self.buffer.set_arg(i, a.data)
        for i, r in enumerate(self.results):
            if r.size:
                self.buffer.set_res(i, r.data)

    def __call__(self, *values: Any) -> list[Any]:
        for a, v in zip(self.arguments, values, strict=True):
            a[:, 0] = v
        self.evaluate()
        return [r[:, 0] for r in self.results]


class VirtualMachine:
    """Same order of work, same results to round-off."""

    def __init__(self, program: Program) -> None:
        self.program = program
        functions = program.functions()
        self.step = _Call(functions["step"])
        self.warm = _Call(functions.get("warm", functions["step"]))
        self.outputs = _Call(functions["outputs"])
        self.start = _Call(functions["start"]) if "start" in functions else None
        self.parts = [_Call(functions[f"part{k}"]) if f"part{k}" in functions else None for k in range(len(program.parts))]

    def run(self, s: World, n: int) -> int:
        c = s.c
        for _ in range(n):
            t = c.t0 + c.k * c.h
            if c.sampled != c.k:
                self.sample(s, 0, len(self.parts))
            if s.safe is not None:
                np.copyto(s.w, s.safe, where=~np.isnan(s.safe))
            if c.k == 0 and self.start is not None:
                (s.m[:],) = self.start(s.x, s.w, s.p, t)
            if c.record_every and c.k % c.record_every == 0:
                if c.rows >= c.rows_max:
                    return 2
                self._write_row(s, t)
            x, m, right = self._advance(s, t)
            inside = (x >= s.lower) & (x <= s.upper)
            if not inside.all():
                c.bad = int(np.argmin(inside))
                s.x[c.bad] = x[c.bad]
                return 1
            s.x[:], s.m[:] = x, m
            c.k += 1
            if not right:
                return 3
        return 0

    def _advance(self, s: World, t: float) -> tuple[Any, Any, bool]:
        """One step as `advance` of loop.c takes it."""
        c, divisible = s.c, self.program.method.divisible
        call = self.warm if c.k < self.program.method.warmup else self.step
        before, at, size, good, x, m = c.calls, 0, PARTS, True, s.x, s.m
        while at < PARTS:
            x_next, m_next, e = (v.copy() for v in call(x, m, s.w, s.p, t + at * (c.h / PARTS), size * (c.h / PARTS)))
            c.calls += 1
            e = np.abs(e) * s.weight
            finite = np.all(e <= 1e300) and np.all(np.abs(x_next) <= 1e300)
            worst = float(e.max(initial=0.0)) if finite else 1e300
            last = c.calls - before >= CALLS
            if worst > 1 and divisible and size > 1 and not last:
                while worst > 1 and size > 1:
                    worst, size = worst / 4, size // 2
                continue
            good = good and worst <= 1
            at += size
            np.fmax(s.error, e, out=s.error)
            x, m = x_next, m_next
            if last:
                size = PARTS - at
            elif worst < 0.1 and at % (2 * size) == 0 and at + 2 * size <= PARTS:
                size *= 2
        used = c.calls - before
        c.repeated += used > 1
        c.calls_most = max(c.calls_most, used)
        if good:
            c.failed_row = 0
            return x, m, True
        if not c.failed:
            c.error_time = t
        c.failed += 1
        c.failed_row += 1
        return x, m, not c.failed_most or c.failed_row <= c.failed_most or not divisible

    def record(self, s: World) -> None:
        self._write_row(s, s.time)

    def sample(self, s: World, first: int, last: int) -> None:
        tables = zip(self.program.tables, self.program.table_offsets, strict=True) if first == 0 else ()
        for i, (table, w) in enumerate(tables):
            if s.c.k % s.table_every[i] == 0:
                row = min(s.c.k // s.table_every[i], len(s.rows[i]) - 1)
                s.w[w : w + len(table.holds)] = s.rows[i][row]
        for i in range(first, last):
            call, slot = self.parts[i], self.program.slots[i]
            if call is not None and s.c.k % s.part_every[i] == 0:
                s.d[slot.d], s.w[slot.w] = call(s.d[slot.d], s.x, s.w, s.p, s.time)

    def _write_row(self, s: World, t: float) -> None:
        (y,) = self.outputs(s.x, s.w, s.p, t)
        row = s.record[s.c.rows]
        row[0] = t
        row[1:] = np.concatenate((s.x, s.w, y))[s.record_index]
        s.c.rows += 1
