"""A run against the wall clock: the compiled loop in a thread of its own, orders and inputs while it runs.

A tick of `rate` advances the world by `scale / rate` seconds, in whole steps of the world; what is left
over is kept for the next tick. Policies where a tick ends after its deadline (the next release):

    catch up   the schedule stays; the next ticks run at once until it is met again; what lies more than
               `backlog` seconds behind is left out
    skip       releases already passed are left out; the next one of the same schedule is awaited
    stretch    the next tick is released at once and the schedule moves with it
    stop       the loop stops

Left-out and stretched time is not simulated: simulated time falls behind the clock (ledger: slip).
"""

from __future__ import annotations

import atexit
import ctypes
import math
import threading
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from gerotor.codegen.world import World, multiple
from gerotor.errors import InputError, StepError, WiringError, unknown
from gerotor.realtime.ledger import Ledger
from gerotor.realtime.shared import CHUNK, INPUT_STATES, POLICIES, RIGHTS, STATES, CPaced, native
from gerotor.simulation.simulation import Simulation

Array = NDArray[np.float64]
RATES, SCALES = (100.0, 5000.0), (0.1, 10.0)


class PacedRun:
    """`world` of `simulation` stepped at `rate` Hz; a context manager that starts and stops it.

    `inputs` that may be set while it runs default to every outside input and tunable parameter. `safe`:
    what the machine's inputs are forced to by an emergency or safe stop, whatever a controller says;
    default their start values; they go there in `stop_time` simulated seconds. `record` (default: all
    states and held signals) every `record_period` (default: a tick) goes through a ring of `room` rows to
    `drain`. `fifo` is a priority, `cpu` a processor.
    """

    def __init__(self, simulation: Simulation, world: World, *, rate: float = 1000.0, scale: float = 1.0,
                 policy: str = "catch up", duration: float | None = None, inputs: Sequence[str] | None = None,
                 safe: Mapping[str, float] | None = None, stop_time: float = 0.0,
                 record: Sequence[str] | None = None, record_period: float | None = None, spin: float = 50e-6,
                 backlog: float = 1.0, fifo: int = 0, lock: bool = False, cpu: int | None = None, room: int = 1 << 14) -> None:
        self._library = native()
        check_within("rate", rate, RATES, "Hz")
        if simulation.kernel.python_parts:
            names = ", ".join(simulation.program.parts[k].name for k, _ in simulation.kernel.python_parts)
            raise InputError(f"{names}: parts written in Python cannot run in a paced loop; make them native or use the UDP link")
        if not simulation.kernel.compiled:
            raise InputError("a paced run needs the compiled kernel: build the simulation without compiled=False")
        self.simulation, self.world, self.rate = simulation, world, rate
        program, step = simulation.program, world.c.h
        self.inputs = list(inputs) if inputs is not None else program.outside.names + program.ode.parameters.names
        self._targets = np.array([self._address(name) for name in self.inputs], dtype=np.uint64)
        self._inbox = np.array([self._start(name) for name in self.inputs])
        self.names = list(record) if record is not None else program.ode.states.names + program.held.names
        self.units = simulation.units(self.names)
        every = multiple(record_period, step, "recording period") if record_period is not None else max(1, round(1 / rate / step))
        world.record_to(simulation.positions(self.names), every, CHUNK + 2)
        self._ring = np.empty((room, len(self.names) + 1))
        self._safe = self._safe_values(safe)
        self._from, self._forced = np.zeros_like(self._safe), np.zeros_like(self._safe)
        self._writer = threading.Lock()
        self._thread: threading.Thread | None = None
        self.listeners: list[Callable[[Array], None]] = []
        self.keep: list[object] = []  # what the loop points to
        kernel = simulation.kernel.library
        self.c = CPaced(
            run=ctypes.cast(kernel.gerotor_run, ctypes.c_void_p), record=ctypes.cast(kernel.gerotor_record, ctypes.c_void_p),
            world=ctypes.addressof(world.c), period=round(1e9 / rate), spin=round(spin * 1e9), backlog=round(backlog * 1e9),
            ticks_max=0 if duration is None else max(1, round(duration * rate)), fifo=fifo, lock=int(lock),
            cpu=-1 if cpu is None else cpu, steps_per_tick=1 / rate / step, inputs=len(self.inputs),
            target=self._targets.ctypes.data, held=len(program.held), safe=self._safe.ctypes.data,
            forced=self._forced.ctypes.data, stop_time=stop_time, onset=math.nan, ring=self._ring.ctypes.data, ring_rows=room,
            row_width=self._ring.shape[1], inbox=self._inbox.ctypes.data,
        )
        setattr(self.c, "from", self._from.ctypes.data)
        self.c.link.socket = -1
        self.scale, self.policy = scale, policy

    def _address(self, name: str) -> int:
        program, world = self.simulation.program, self.world
        for layout, vector in ((program.held, world.w), (program.ode.parameters, world.p)):
            if name in layout:
                return int(vector.ctypes.data + 8 * layout.index(name))
        raise WiringError(unknown("input", name, program.outside.names + program.ode.parameters.names))

    def _start(self, name: str) -> float:
        program, world = self.simulation.program, self.world
        return float(world.w[program.held.index(name)] if name in program.held else world.p[program.ode.parameters.index(name)])

    def _safe_values(self, safe: Mapping[str, float] | None) -> Array:
        held = self.simulation.program.held
        values = np.full(max(1, len(held)), np.nan)
        entries = {e.name: e.start for e in self.simulation.ode.inputs} if safe is None else safe
        for name, value in entries.items():
            values[held.index(name)] = value
        return values

    def start(self) -> PacedRun:
        """Begin in a thread of its own; returns at once."""
        if self._thread is not None:
            raise InputError("this paced run has been started before: make a new one")
        self._thread = threading.Thread(target=self._loop, daemon=True)
        atexit.register(self.stop)
        self._thread.start()
        return self

    def _loop(self) -> None:
        self._library.paced_loop(ctypes.addressof(self.c))

    def stop(self) -> Ledger:
        """End the loop, wait for it, hand over its ledger."""
        self.c.stop = 1
        return self.join()

    def join(self, timeout: float | None = None) -> Ledger:
        """Wait for the end of a run with a duration."""
        if self._thread is not None:
            self._thread.join(timeout)
        if not self.running:
            atexit.unregister(self.stop)
        return self.ledger()

    def __enter__(self) -> PacedRun:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    @property
    def state(self) -> str:
        return STATES[self.c.state]

    @property
    def input_state(self) -> str:
        return "emergency stop" if self.c.emergency else INPUT_STATES[self.c.input_state]

    @property
    def time(self) -> float:
        return self.world.time

    @property
    def scale(self) -> float:
        """Simulated seconds a wall second."""
        return float(self.c.scale)

    @scale.setter
    def scale(self, value: float) -> None:
        check_within("time scale", value, SCALES, "")
        self.c.scale = value

    @property
    def policy(self) -> str:
        return POLICIES[self.c.policy]

    @policy.setter
    def policy(self, value: str) -> None:
        if value not in POLICIES:
            raise InputError(unknown("policy", value, list(POLICIES)))
        self.c.policy = POLICIES.index(value)

    def pause(self) -> None:
        self.c.pause = 1

    def resume(self) -> None:
        self.c.pause = 0

    def single_step(self, count: int = 1) -> None:
        """While paused: advance by `count` steps."""
        self.c.single = max(0, int(count))

    def emergency_stop(self) -> None:
        """Force the machine's inputs to their safe values from the next tick on, until released."""
        self.c.emergency = 1

    def release(self) -> None:
        """End an emergency or safe stop."""
        self.c.emergency, self.c.fresh = 0, 1

    def watch_inputs(self, hold_after: float, safe_after: float) -> None:
        """Watchdog: without a new input for `hold_after` s the last is held, `safe_after` s later a safe stop."""
        self.c.safe_after, self.c.hold_after = round(safe_after * 1e9), round(hold_after * 1e9)

    def set(self, values: Mapping[str, float]) -> None:
        """New inputs, all taken in the same tick; each must be finite and is kept within its declared range."""
        program = self.simulation.program
        checked = {}
        for name, value in values.items():
            if name not in self.inputs:
                raise InputError(unknown("input", name, self.inputs))
            layout = program.held if name in program.held else program.ode.parameters
            entry = layout.entries[layout.index(name)]
            if not math.isfinite(value):
                raise InputError(f"{name} = {value} {entry.unit}: must be a finite number")
            checked[self.inputs.index(name)] = min(max(float(value), entry.lower), entry.upper)
        with self._writer:
            new = self._inbox.copy()
            for k, number in checked.items():
                new[k] = number
            self._library.paced_inputs(ctypes.addressof(self.c), new.ctypes.data)

    def drain(self) -> Array:
        """The rows recorded since the last call (one reader at a time), handed to every listener too."""
        rows = np.empty((self.c.ring_rows, self.c.row_width))
        count = self._library.paced_drain(ctypes.addressof(self.c), rows.ctypes.data, len(rows))
        rows = rows[:count].copy()
        for listener in self.listeners:
            listener(rows)
        return rows

    def latest(self) -> Array:
        """A copy of the newest recorded row (time first), whether drained or not; zeros before the first."""
        head = self.c.head
        return self._ring[(head - 1) % len(self._ring)].copy() if head else np.zeros(self._ring.shape[1])

    def ledger(self) -> Ledger:
        """The ledger so far."""
        notices = tuple(f"{name} was not permitted" for bit, name in RIGHTS.items() if self.c.refused_rights & bit)
        return Ledger.read(self.c.ledger, self.rate, self.policy, self.c.rows_lost, notices)

    def check(self) -> None:
        """Raise StepError where the world left its range."""
        if self.state == "out of range":
            raise StepError(self.simulation.reason(self.world))


def bare_loop(rate: float, duration: float, *, spin: float = 50e-6, fifo: int = 0,
              cpu: int | None = None) -> tuple[threading.Thread, Callable[[], Ledger]]:
    """A loop that only sleeps, as the yardstick: its thread, started, and its ledger."""
    check_within("rate", rate, RATES, "Hz")
    shared = CPaced(period=round(1e9 / rate), spin=round(spin * 1e9), backlog=10**9, ticks_max=round(duration * rate),
                    cpu=-1 if cpu is None else cpu, fifo=fifo, scale=1.0)
    shared.link.socket = -1
    library = native()
    thread = threading.Thread(target=lambda: library.paced_loop(ctypes.addressof(shared)), daemon=True)
    thread.start()
    return thread, lambda: Ledger.read(shared.ledger, rate, POLICIES[0])


def check_within(what: str, value: float, allowed: tuple[float, float], unit: str) -> None:
    """Raise InputError unless `value` lies within `allowed`."""
    if not (math.isfinite(value) and allowed[0] <= value <= allowed[1]):
        raise InputError(f"{what} = {value} {unit}: must be {allowed[0]:g} to {allowed[1]:g} {unit}".replace(" :", ":").rstrip())
