"""A program that runs: compiled C where there is a compiler, CasADi's virtual machine elsewhere."""

from __future__ import annotations

import ctypes
import sys
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from gerotor.codegen.compiler import find_compiler, load
from gerotor.codegen.fingerprint import fingerprint
from gerotor.codegen.program import Program
from gerotor.codegen.source import c_source
from gerotor.codegen.vm import VirtualMachine
from gerotor.codegen.world import World

DONE, OUT_OF_RANGE, RECORD_FULL, TOO_ROUGH = 0, 1, 2, 3


@lru_cache(maxsize=1)
def _notice() -> None:
    sys.stderr.write(
        "gerotor: no C compiler found, running on CasADi's virtual machine (slower); "
        "install gcc or `pip install ziglang`\n"
    )


class Kernel:
    """`run(world, n)` advances a world by n steps in one call, without the interpreter lock."""

    def __init__(self, program: Program, compiled: bool | None = None) -> None:
        self.program = program
        self.compiled = find_compiler() is not None if compiled is None else compiled
        if compiled is None and not self.compiled:
            _notice()
        self._run: Any
        self._record: Any
        self._sample: Any
        if self.compiled:
            self._load()
        else:
            machine = VirtualMachine(program)
            self._run, self._record, self._sample = machine.run, machine.record, machine.sample

    def _load(self) -> None:
        program = self.program
        self.library = load(lambda: c_source(program), key=fingerprint(program))
        program.memory = ctypes.c_int.in_dll(self.library, "gerotor_memory").value
        run, record, sample = self.library.gerotor_run, self.library.gerotor_record, self.library.gerotor_sample
        run.argtypes, run.restype = [ctypes.c_void_p, ctypes.c_longlong], ctypes.c_int
        record.argtypes, record.restype = [ctypes.c_void_p], None
        sample.argtypes, sample.restype = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int], None
        self._run = lambda world, n: run(ctypes.addressof(world.c), n)
        self._record = lambda world: record(ctypes.addressof(world.c))
        self._sample = lambda world, first, last: sample(ctypes.addressof(world.c), first, last)

    def record(self, world: World) -> None:
        """Record one row of the present state, as at the end of a run."""
        self._record(world)

    def run(self, world: World, n: int) -> int:
        """DONE, OUT_OF_RANGE (world.c.bad names the state), RECORD_FULL or TOO_ROUGH (too many failed steps in a row)."""
        if self.python_parts:
            return self._run_with_python(world, n)
        return int(self._run(world, n))

    @cached_property
    def python_parts(self) -> list[tuple[int, Any]]:
        return [(k, self.program.reads(q)) for k, q in enumerate(self.program.parts) if not q.native]

    def _run_with_python(self, world: World, n: int) -> int:
        """Stop at every sample of a Python part, take it between those of its neighbours, go on."""
        end = world.c.k + n
        periods = [int(world.part_every[i]) for i, _ in self.python_parts]
        while world.c.k < end:
            k = int(world.c.k)
            if any(k % every == 0 for every in periods):
                self._take_samples(world)
            due = min(every - k % every for every in periods)
            status = int(self._run(world, min(due, end - k)))
            if status != DONE:
                return status
        return DONE

    def _take_samples(self, world: World) -> None:
        """Tables and all parts of the present step, in order."""
        first = 0
        for i, reads in self.python_parts:
            self._sample(world, first, i)
            first = i + 1
            if world.c.k % world.part_every[i] == 0:
                part, slot = self.program.parts[i], self.program.slots[i]
                r = np.asarray(reads(world.x, world.w, world.p, world.time)).ravel()
                d, w = part.update(world.d[slot.d].copy(), r, world.time)
                world.d[slot.d], world.w[slot.w] = d, w
        self._sample(world, first, len(self.program.parts))
        world.c.sampled = world.c.k
