"""A finished run on the page: the same scene and plots, with a time slider."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np

from gerotor.errors import InputError
from gerotor.realtime.ledger import Ledger
from gerotor.realtime.stage import Stage
from gerotor.simulation.recording import Recording
from gerotor.viewer.panels import bars, ledger_panel
from gerotor.viewer.stage_page import StagePage, write

NO_LEDGER = "<div style='padding:6px 10px;font-size:12px;opacity:.7'>not a paced run: no deadlines were kept</div>"
SPEEDS = ("0.1", "0.5", "1", "2", "5", "10", "50")


class ReplayPage(StagePage):
    """Anyone who can see the page may move its slider: it changes nothing but the picture."""

    def __init__(self, recording: Recording, stage: Stage, *, host: str = "127.0.0.1", port: int = 8080) -> None:
        missing = [n for n in stage.joints if n not in recording.names]
        if missing or not len(recording):
            raise InputError(f"the recording has {len(recording)} rows and lacks these joints: {', '.join(missing) or 'none'}")
        super().__init__(host, port)
        self.recording, self.stage = recording, stage
        self.index = {"time": 0, **{n: k + 1 for k, n in enumerate(recording.names)}}
        self._gauges = tuple(g for g in stage.gauges if all(n in self.index for n in (*g.signals, *g.less)))
        self.furnish(stage, recording.values[0][[self.index[n] for n in stage.joints]], self._gauges)
        self.plots.show(self._thin(), self.index)
        facts, gui = recording.facts, self.server.gui
        write(self._ledger, ledger_panel(Ledger.from_facts(facts["ledger"])) if "ledger" in facts else NO_LEDGER)
        span = (float(recording.time[0]), float(recording.time[-1]))
        torn = "" if facts.get("complete", True) else "; not closed, read up to its last whole batch"
        size = f"{len(recording)} rows, {span[0]:.2f} to {span[1]:.2f} s{torn}"
        gui.add_markdown(f"**{facts.get('machine', '')}** {stage.title}\n\n{size}")
        self.playing = gui.add_checkbox("play", True)
        self.speed = gui.add_dropdown("speed", SPEEDS, initial_value="1")
        self.slider = gui.add_slider("time, s", span[0], max(span[1], span[0] + 0.01), 0.01, span[0])
        self.slider.on_update(lambda _: self._move(float(self.slider.value)))
        self.time, self._span, self._lock = span[0], span, threading.RLock()

    def _thin(self, most: int = 1500) -> Any:
        return self.recording.values[:: max(1, len(self.recording) // most)]

    def _watch(self) -> None:
        last = time.monotonic()
        while not self._end.wait(0.05):
            now = time.monotonic()
            if self.playing.value:
                self.time += (now - last) * float(self.speed.value)
                if self.time > self._span[1]:
                    self.time = self._span[0]
                self.show(self.time)
                self.slider.value = round(self.time, 2)
            last = now

    def _move(self, value: float) -> None:
        if not self.playing.value and np.isfinite(value):
            self.time = min(max(value, self._span[0]), self._span[1])
            self.show(self.time)

    def show(self, at: float) -> None:
        """The machine as it was at that time; what had been cut by then is cut."""
        with self._lock:
            k = int(np.clip(np.searchsorted(self.recording.time, at), 0, len(self.recording) - 1))
            rows = self.recording.values[: k + 1]
            if self.around.slot is not None and at < getattr(self, "_shown", -np.inf):
                self.around.reset()
            self._shown = at
            q = rows[-1][[self.index[n] for n in self.stage.joints]]
            self.machine.show(q)
            self.around.show(q, rows[:: max(1, len(rows) // 200)] if len(rows) > 400 else rows, self.index)
            self.around.show(q, rows[-1:], self.index)
            write(self._bars, bars(self._gauges, rows[-1000:], self.index))
