"""A live run that may be reset and changed: a stage, its paced loop, its recording, its recent past."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gerotor.errors import GerotorError, InputError, unknown
from gerotor.mechanics.inverse_kinematics import InverseKinematics
from gerotor.realtime.ledger import Ledger
from gerotor.realtime.paced_run import PacedRun
from gerotor.realtime.stage import Stage
from gerotor.simulation.stream import StreamRecorder

Array = NDArray[np.float64]
PULL = 0.03  # s between two looks at the loop's ring
ROW = 0.01  # s of simulated time between two rows
PAST = 3000  # rows kept for plots


class Session:
    """Runs `stage` at `rate`; with `folder` every run is recorded there as NAME-K.arrows."""

    def __init__(self, machine: str, stage: Stage, *, rate: float = 1000.0, policy: str = "catch up", method: str = "",
                 step: float | None = None, folder: Path | None = None, fifo: int = 0, lock: bool = False,
                 cpu: int | None = None) -> None:
        self.machine, self.stage, self.rate, self.policy = machine, stage, rate, policy
        self.method, self.step = method or stage.method, stage.step if step is None else step
        self.folder, self._rights = folder, {"fifo": fifo, "lock": lock, "cpu": cpu}
        self.trouble = ""
        self.recorder: StreamRecorder | None = None
        self.recordings: list[Path] = []
        self.settings = {s.name: s.start for s in stage.settings}
        self._lock = threading.RLock()
        self._end = threading.Event()
        self._simulation = stage.build(self.method)
        self.index = {n: k + 1 for k, n in enumerate(stage.recorded)} | {"time": 0}
        self.past: deque[Array] = deque(maxlen=PAST)
        self.run = self._fresh(scale=1.0)
        self._pump = threading.Thread(target=self._pull, daemon=True)

    def _fresh(self, scale: float) -> PacedRun:
        world = self._simulation.world(self.step, start=self.stage.start)
        if self.stage.prepare is not None:
            self.stage.prepare(self._simulation, world, self.settings)
        period = max(self.step, round(ROW / self.step) * self.step)
        run = PacedRun(self._simulation, world, rate=self.rate, scale=scale, policy=self.policy, safe=self.stage.safe,
                       stop_time=self.stage.stop_time, record=self.stage.recorded, record_period=period, **self._rights)  # type: ignore[arg-type]
        if self.folder is not None:
            self._close_recording()
            path = self.folder / f"{self.machine_name}-{self.stage.name}-{len(self.recordings) + 1}.arrows"
            self.recorder = StreamRecorder(path, run.names, run.units, lambda: self._facts(run))
            self.recordings.append(path)
            run.listeners.append(self.recorder.append)
        return run

    @property
    def machine_name(self) -> str:
        return Path(self.machine).stem

    def _facts(self, run: PacedRun) -> dict[str, Any]:
        return {
            "machine": self.machine, "stage": self.stage.name, "settings": dict(self.settings), "integrator": self.method,
            "step": self.step, "rate": self.rate, "simulated": run.time, "state": run.state, "ledger": run.ledger().facts(),
        }

    def start(self) -> Session:
        self.run.start()
        self._pump.start()
        return self

    def close(self) -> Ledger:
        """End the loop and its recording."""
        self._end.set()
        self._pump.join()
        with self._lock:
            ledger = self.run.stop()
            self._take(self.run.drain())
            self._close_recording()
        return ledger

    def __enter__(self) -> Session:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _close_recording(self) -> None:
        if self.recorder is not None:
            self.recorder.close()
            self.recorder = None

    def _pull(self) -> None:
        while not self._end.wait(PULL):
            with self._lock:
                self._take(self.run.drain())

    def _take(self, rows: Array) -> None:
        self.past.extend(rows)

    def reset(self, *, method: str | None = None, step: float | None = None, rate: float | None = None,
              settings: Mapping[str, float] | None = None) -> None:
        """From the start again, perhaps with another integrator, step, rate or settings; a bad choice changes nothing."""
        chosen = self._checked(settings or {})
        with self._lock:
            before = self.method, self.step, self.rate, self._simulation
            try:
                if method is not None and method != self.method:
                    self.method, self._simulation = method, self.stage.build(method)
                self.step, self.rate = self.step if step is None else step, self.rate if rate is None else rate
                self._simulation.world(self.step, start=self.stage.start)
            except GerotorError:
                self.method, self.step, self.rate, self._simulation = before
                raise
            self.settings |= chosen
            self.run.stop()
            self.run.drain()
            paused = bool(self.run.c.pause)
            self.run = self._fresh(self.run.scale)
            self.past.clear()
            if paused:
                self.run.pause()
            self.run.start()

    def _checked(self, settings: Mapping[str, float]) -> dict[str, float]:
        known = {s.name: s for s in self.stage.settings}
        for name, value in settings.items():
            if name not in known:
                raise InputError(unknown("setting", name, list(known)))
            one = known[name]
            if not one.lower <= value <= one.upper:
                raise InputError(f"{one.label} = {value:g} {one.unit}: allowed {one.lower:g} to {one.upper:g} {one.unit}")
        return dict(settings)

    def row(self) -> Array | None:
        """The newest row: time, then `stage.recorded`."""
        return self.past[-1] if self.past else None

    def values(self, row: Array, names: tuple[str, ...]) -> Array:
        return row[[self.index[n] for n in names]]

    def recent(self, seconds: float, most: int = 300) -> Array:
        """Rows of the last `seconds` simulated, at most about `most` of them."""
        rows = list(self.past)
        if not rows:
            return np.empty((0, len(self.index)))
        start = rows[-1][0] - seconds
        first = next((k for k, r in enumerate(rows) if r[0] >= start), 0)
        stride = max(1, math.ceil((len(rows) - first) / most))
        return np.array(rows[first::stride])

    def levers(self, values: Mapping[str, float]) -> None:
        """Levers by their input's name; refused where the stage has no such lever."""
        known = {lever.input for lever in self.stage.levers}
        if not set(values) <= known:
            raise InputError(f"no such lever: {', '.join(sorted(set(values) - known))}")
        mode = {"operator.mode": 1.0} if self.operated else {}
        self.run.set({**mode, **values})

    def targets(self, values: Mapping[str, float]) -> None:
        """Joint positions to go to, by joint; joints not named keep their target."""
        if not self.operated:
            raise InputError(f"{self.stage.title}: no sliders here")
        names = {lever.label: lever.target for lever in self.stage.levers}
        strange = sorted(set(values) - set(names))
        if strange:
            raise InputError(f"no such joint: {', '.join(strange)}")
        row = self.row()
        if row is not None and self.by_levers:
            held = {lever.target: float(row[self.index[f"ref.q.{lever.label}"]]) for lever in self.stage.levers}
        else:
            held = {}
        self.run.set({"operator.mode": 0.0, **held, **{names[k]: v for k, v in values.items()}})

    @property
    def operated(self) -> bool:
        """Whether levers and sliders move set-points (else they are the machine's inputs)."""
        return any(lever.target for lever in self.stage.levers)

    @property
    def by_levers(self) -> bool:
        """Whether set-points follow levers just now, not sliders."""
        return self.operated and bool(self.run.world.w[self._simulation.program.held.index("operator.mode")] > 0.5)

    @property
    def reaches(self) -> bool:
        """Whether the tool can be sent to a position: every joint has its lever."""
        return self.operated and len(self.stage.levers) == self.stage.tree.size

    def tool_to(self, position: Any) -> Array:
        """Send the tool to a position by inverse kinematics, its attitude free; the joint positions found."""
        row = self.row()
        here = None if row is None else self.values(row, self.stage.joints)
        q = self._inverse.solve(np.asarray(position, dtype=float), here, restarts=0)
        self.targets(dict(zip(self.stage.tree.names, map(float, q), strict=True)))
        return q

    @property
    def _inverse(self) -> InverseKinematics:
        if not hasattr(self, "_inverse_kinematics"):
            self._inverse_kinematics = InverseKinematics(self.stage.tree, self.stage.tool, tolerance=1e-6)
        return self._inverse_kinematics

    def release(self) -> None:
        """End a stop without a jump: set-points where the joints are, controllers without memory."""
        run, program = self.run, self._simulation.program
        paused = bool(run.c.pause)
        run.pause()
        for _ in range(200):
            if run.state != "running":
                break
            self._end.wait(0.005)
        states, d = program.ode.states, run.world.d
        here = {x.label: float(run.world.x[states.index(f"arm.q.{x.label}")]) for x in self.stage.levers if x.target}
        for part, slot in zip(program.parts, program.slots, strict=True):
            if part.name in self.stage.controllers:
                d[slot.d] = part.states.array("start")
            if part.name == "operator":
                d[slot.d] = [*here.values(), *([0.0] * len(here))]
        if self.operated:
            self.targets(here)
        run.release()
        if not paused:
            run.resume()

    def neutral(self) -> None:
        """All levers let go."""
        if self.stage.levers:
            self.levers({lever.input: lever.neutral for lever in self.stage.levers})

    @property
    def reason(self) -> str:
        """Why the loop stopped, in words; empty while all is well."""
        if self.run.state == "out of range":
            return self._simulation.reason(self.run.world)
        if self.run.state == "missed a deadline":
            return "stopped at a missed deadline, as told by the policy"
        return ""
