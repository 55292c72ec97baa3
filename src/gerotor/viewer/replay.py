"""A finished run on the page: the same scene and plots, with a time slider."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np

from gerotor.errors import InputError
from gerotor.realtime.ledger import Ledger
from gerotor.realtime.stage import Gauge, Stage
from gerotor.simulation.recording import Recording
from gerotor.viewer.machine_scene import MachineScene
from gerotor.viewer.page import open_server, write
from gerotor.viewer.panels import Plots, bars, ledger_panel
from gerotor.viewer.surroundings import Surroundings

SPEEDS = ("0.1", "0.5", "1", "2", "5", "10", "50")


class ReplayPage:
    """Anyone who can see the page may move its slider: it changes nothing but the picture."""

    def __init__(self, recording: Recording, stage: Stage, *, host: str = "127.0.0.1", port: int = 8080) -> None:
        missing = [n for n in stage.joints if n not in recording.names]
        if missing or not len(recording):
            raise InputError(f"the recording has {len(recording)} rows and lacks these joints: {', '.join(missing) or 'none'}")
        self.recording, self.stage = recording, stage
        self.index = {"time": 0, **{n: k + 1 for k, n in enumerate(recording.names)}}
        self.server = open_server(host, port)
        self.port = int(self.server.get_port())
        gui, scene = self.server.gui, self.server.scene
        gui.configure_theme(show_logo=False, show_share_button=False, brand_color=(232, 89, 12))
        scene.set_up_direction("+z")
        first = recording.values[0][[self.index[n] for n in stage.joints]]
        self.machine = MachineScene(scene, stage.tree, stage.tool, first, stage.rods)
        self.around = Surroundings(scene, stage, self.machine)
        self._aim()
        gui.main_panel.dock_right()
        span = (float(recording.time[0]), float(recording.time[-1]))
        facts = recording.facts
        torn = "" if facts.get("complete", True) else "; not closed, read up to its last whole batch"
        size = f"{len(recording)} rows, {span[0]:.2f} to {span[1]:.2f} s{torn}"
        gui.add_markdown(f"**{facts.get('machine', '')}** {stage.title}\n\n{size}")
        self.playing = gui.add_checkbox("play", True)
        self.speed = gui.add_dropdown("speed", SPEEDS, initial_value="1")
        self.slider = gui.add_slider("time, s", span[0], max(span[1], span[0] + 0.01), 0.01, span[0])
        self.slider.on_update(lambda _: self._move(float(self.slider.value)))
        panel = gui.add_panel()
        gauges = tuple(g for g in stage.gauges if all(n in self.index for n in (*g.signals, *g.less)))
        with panel.add_tab("Plots"):
            Plots(gui, gauges).show(self._thin(), self.index)
        with panel.add_tab("Gauges"):
            self._bars = gui.add_html("")
        if "ledger" in facts:
            with panel.add_tab("Deadlines"):
                gui.add_html(ledger_panel(Ledger.from_facts(facts["ledger"])))
        panel.dock_left()
        panel.set_width(360)
        self._gauges: tuple[Gauge, ...] = gauges
        self.time = span[0]
        self._span, self._end, self._lock = span, threading.Event(), threading.RLock()
        self._thread = threading.Thread(target=self._play, daemon=True)

    def _aim(self) -> None:
        middle, eye = self.machine.viewpoint()
        self.server.initial_camera.position, self.server.initial_camera.look_at = tuple(eye), tuple(middle)

    def _thin(self, most: int = 1500) -> Any:
        return self.recording.values[:: max(1, len(self.recording) // most)]

    def start(self) -> ReplayPage:
        self._thread.start()
        return self

    def close(self) -> None:
        self._end.set()
        self._thread.join()
        self.server.stop()

    def _play(self) -> None:
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
            write(self._bars, bars(self._gauges, rows[-1], self.index))
