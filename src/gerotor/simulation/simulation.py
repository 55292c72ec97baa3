"""A run: a closed loop, an integrator, a step; in chunks, with progress, guarded, recorded."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from gerotor.codegen.kernel import DONE, OUT_OF_RANGE, TOO_ROUGH, Kernel
from gerotor.codegen.program import Program
from gerotor.codegen.world import Array, World, multiple
from gerotor.core.ode import Ode
from gerotor.core.sampled import Sampled
from gerotor.core.table import Table
from gerotor.errors import InputError, StepError, WiringError, unknown
from gerotor.integrators import Integrator, integrator
from gerotor.simulation.numerics import Numerics, advice
from gerotor.simulation.range_warnings import range_warnings
from gerotor.simulation.recording import Recording

Progress = Callable[[float, float], None]  # simulated seconds done, wall seconds used
CHUNK = 50_000  # steps in one call at most: a Ctrl-C is heard between calls
MOST_BYTES = 4e9  # of a recording in memory


class Simulation:
    """An Ode with its sampled parts and tables, ready to run.

    The kernel is built once; `run` may be called again and again, with other steps, start values,
    parameters and recorded signals, without a rebuild.
    """

    def __init__(self, ode: Ode, parts: Sequence[Sampled] = (), tables: Sequence[Table] = (),
                 method: str | Integrator = "extrapolated", compiled: bool | None = None) -> None:
        self.ode = ode
        self.integrator = integrator(method) if isinstance(method, str) else method
        self.program = Program(ode, self.integrator, parts, tables)
        self.kernel = Kernel(self.program, compiled)

    def world(self, step: float, *, start: Mapping[str, float] | None = None, parameters: Mapping[str, float] | None = None,
              inputs: Mapping[str, float] | None = None, t0: float = 0.0, tables: Mapping[str, Array] | None = None) -> World:
        """Fresh running data; a constant input outside its range (a current beyond a valve's rating) is refused.

        `tables` gives other rows than those built in, by the tables' names.
        """
        for name, value in (inputs or {}).items():
            if name in self.ode.inputs:
                entry = self.ode.inputs.entries[self.ode.inputs.index(name)]
                if not entry.lower <= value <= entry.upper:
                    raise InputError(f"{name} = {value:.6g} {entry.unit}: allowed {entry.lower:g} to {entry.upper:g}")
        return World(self.program, step, start=start, parameters=parameters, held=inputs, t0=t0, tables=tables)

    def run(self, duration: float, step: float, *, start: Mapping[str, float] | None = None,
            parameters: Mapping[str, float] | None = None, inputs: Mapping[str, float] | None = None,
            record: Sequence[str] | None = None, record_period: float | None = None, t0: float = 0.0,
            progress: Progress | None = None) -> Recording:
        """Simulate `duration` seconds; a Ctrl-C ends the run and returns what was recorded.

        `record` defaults to every state and held signal; `record_period` to about 2000 rows. Outputs
        that leave their declared range are named, with the time, in `facts["warnings"]`.
        """
        given: dict[str, Any] = {"start": start, "parameters": parameters, "inputs": inputs, "t0": t0}
        world = self.world(step, **given)
        stopped: StepError | None = None
        try:
            recording = self.continue_run(world, duration, record=record, record_period=record_period, progress=progress)
        except StepError as error:
            recording, stopped = error.recording, error
        if stopped is None and not world.c.failed:
            return recording
        counsel = self.advice(world, **given)
        recording.facts["advice"] = counsel
        if stopped is not None:
            raise StepError(f"{stopped}; {counsel}", recording)
        recording.facts["warnings"][0] += f"; {counsel}"
        return recording

    def advice(self, world: World, **given: Any) -> str:
        """What would have been right where this world stopped or failed, found by trying; `given` as for `world`."""
        until = min(world.time, world.c.error_time if world.c.failed else world.time) - world.c.t0 + 0.2

        def again(step: float, duration: float) -> World | None:
            try:
                other = self.world(step, **given)
            except InputError:
                return None
            self.kernel.run(other, max(1, round(duration / step)))
            return other

        return advice(again, world.c.h, until, self.integrator.name)

    def continue_run(self, world: World, duration: float, *, record: Sequence[str] | None = None,
                     record_period: float | None = None, progress: Progress | None = None) -> Recording:
        """Go on with a world for `duration` seconds."""
        if not (math.isfinite(duration) and duration > 0):
            raise InputError(f"duration = {duration} s: must be above 0")
        step = world.c.h
        total = max(1, round(duration / step))
        every = multiple(record_period, step, "recording period") if record_period is not None else max(1, total // 2000)
        names = list(record) if record is not None else self.ode.states.names + self.program.held.names
        guarded = [e.name for e in self.ode.outputs if math.isfinite(e.lower) or math.isfinite(e.upper)]
        index = self.positions(names + guarded)
        size = 8.0 * (total // every + 3) * (len(index) + 1)
        if size > MOST_BYTES:
            raise InputError(
                f"recording every {every * step:g} s: {total // every:.3g} rows of {len(index)} signals, {size / 1e9:.3g} GB; "
                f"at most {MOST_BYTES / 1e9:g} GB: choose a longer recording period or fewer signals"
            )
        world.record_to(index, every, total // every + 3)
        began, done, status, stopped = time.perf_counter(), 0, DONE, ""
        chunk = min(CHUNK, max(1, total // (50 if progress is None else 200)))
        try:
            while done < total and status == DONE:
                n = min(chunk, total - done)
                status = self.kernel.run(world, n)
                done += n
                if progress is not None:
                    progress(min(done, total) * step, time.perf_counter() - began)
        except KeyboardInterrupt:
            stopped = "interrupted"
        wall = time.perf_counter() - began
        if status == DONE:
            self.kernel.record(world)
        rows = world.recorded()
        values, numerics = rows[:, : 1 + len(names)], Numerics.of(world)
        left = range_warnings(self.ode.outputs, guarded, rows[:, 0], rows[:, 1 + len(names) :])
        facts = {
            "machine": self.ode.name, "integrator": self.integrator.name, "step": step, "simulated": world.time - world.c.t0,
            "wall": wall, "real_time_factor": (world.time - world.c.t0) / wall if wall else math.inf,
            "compiled": self.kernel.compiled, "stopped": stopped,
            "numerics": numerics.facts(), "warnings": ([numerics.warning] if numerics.failed else []) + left,
        }
        recording = Recording(names, self.units(names), values, facts)
        if status in (OUT_OF_RANGE, TOO_ROUGH):
            raise StepError(self.reason(world), recording)
        return recording

    def positions(self, names: Sequence[str]) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Where each signal stands in states, then held signals, then outputs."""
        n_x, n_w = len(self.ode.states), len(self.program.held)
        out = []
        for name in names:
            if name in self.ode.states:
                out.append(self.ode.states.index(name))
            elif name in self.program.held:
                out.append(n_x + self.program.held.index(name))
            elif name in self.ode.outputs:
                out.append(n_x + n_w + self.ode.outputs.index(name))
            else:
                raise WiringError(unknown("signal", name, self.recordable))
        return np.array(out, dtype=np.int64)

    @property
    def recordable(self) -> list[str]:
        """Every signal a run can record."""
        return self.ode.states.names + self.program.held.names + self.ode.outputs.names

    def units(self, names: Sequence[str]) -> list[str]:
        """The unit of each signal."""
        units = {e.name: e.unit for layout in (self.ode.outputs, self.program.held, self.ode.states) for e in layout}
        return [units[n] for n in names]

    def reason(self, world: World) -> str:
        """Why a run of this world stopped, in one line."""
        if world.c.bad < 0:
            return f"{self.ode.name} stopped at {world.time:.6g} s: {Numerics.of(world).warning}"
        entry = self.ode.states.entries[world.c.bad]
        value = world.x[world.c.bad]
        head = f"{self.ode.name} stopped at {world.time:.6g} s: {entry.name} = {value:.6g} {entry.unit}"
        if not math.isfinite(value) or abs(value) >= 1e300:
            return f"{head} is not finite with {self.integrator.name} at {world.c.h * 1e3:g} ms"
        return f"{head} left its range {entry.lower:g} to {entry.upper:g} {entry.unit}"
