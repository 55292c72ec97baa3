"""The live page: a session in the browser. Everybody sees; one operator holds the controls."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from gerotor.errors import GerotorError
from gerotor.realtime.session import Session
from gerotor.realtime.training import Training
from gerotor.viewer.control import Control, is_local
from gerotor.viewer.controls import Controls
from gerotor.viewer.joystick import Joystick
from gerotor.viewer.panels import WINDOW, bars, headline, ledger_panel
from gerotor.viewer.stage_page import StagePage, write

PLOT_PERIOD, LEDGER_PERIOD = 0.25, 1.0  # s
Make = Callable[[str, str], Session]  # machine, scenario -> a session, not started


class LivePage(StagePage):
    """`choices` are the machines and their scenarios; `make` builds a session of one of them."""

    def __init__(self, session: Session, choices: dict[str, list[str]], make: Make, *, host: str = "127.0.0.1",
                 port: int = 8080, token: str = "", frames: float = 25.0, joystick: Joystick | None = None) -> None:
        self.joystick = joystick  # of this machine: works for an operator who sits at it
        self.session, self.choices, self._make = session, choices, make
        self.control, self._period = Control(token), 1 / frames
        super().__init__(host, port)
        self._controls: dict[int, Controls] = {}
        self._plotted = -1.0
        self.pictures = 0  # sent while somebody watched
        self._change = threading.RLock()
        self._build()
        self.server.on_client_connect(self._joined)
        self.server.on_client_disconnect(self._left)

    def _build(self) -> None:
        """Scene and shared panels of the present session."""
        stage = self.session.stage
        self.furnish(stage, np.array([stage.start.get(n, 0.0) for n in stage.joints]), stage.gauges)
        self.training = Training(stage.course) if stage.course is not None else None

    def aim_at_tool(self, client: Any) -> None:
        """The tool and what it touches, close."""
        tip = self.machine.tool_position(self.machine.q)
        if self.session.stage.pipe is not None:
            cut = self.session.stage.pipe.cut
            tip = np.array([0.0, 0.75 * float(cut.pipe_y) + 0.25 * tip[1], float(cut.pipe_z)])
        client.camera.position = tuple(tip + 0.27 * self.machine.reach * np.array([0.75, 0.6, 0.55]))
        client.camera.look_at = tuple(tip)

    def close(self) -> None:
        for controls in list(self._controls.values()):
            controls.pulse.close()
        super().close()
        if self.joystick is not None:
            self.joystick.close()

    def local(self, client: Any) -> bool:
        """Whether a client sits on this machine; unknown addresses do not."""
        connections = getattr(getattr(self.server, "_websock_server", None), "_live_connections", {})
        address = getattr(connections.get(client.client_id), "remote_address", None)
        return address is not None and is_local(address[0])

    def _joined(self, client: Any) -> None:
        with self._change:
            if self.control.holder is None and self.local(client):
                self.control.take(client.client_id, True)
            self._controls[client.client_id] = Controls(self, client)

    def _left(self, client: Any) -> None:
        with self._change:
            gone = self._controls.pop(client.client_id, None)
            if gone is not None:
                gone.pulse.close()
            if self.control.drop(client.client_id):
                self.attempt(self.session.neutral)

    def refresh(self, client_id: int) -> None:
        """Draw a client's controls anew."""
        with self._change:
            if client_id in self._controls:
                self._controls[client_id].draw()

    def attempt(self, action: Callable[[], object]) -> str:
        """Do it; what is wrong with it goes on the page instead of up."""
        try:
            action()
            self.session.trouble = ""
        except GerotorError as error:
            self.session.trouble = str(error)
        return self.session.trouble

    def switch(self, machine: str, name: str) -> str:
        """Another machine or scenario, for everybody."""
        with self._change:
            try:
                new = self._make(machine, name)
            except (GerotorError, RuntimeError) as error:
                self.session.trouble = str(error).splitlines()[0]
                return self.session.trouble
            self.session.close()
            self.session = new
            self._build()
            self.session.start()
            for client in self.server.get_clients().values():
                self.aim(client)
                self.refresh(client.client_id)
            return ""

    def reset(self, **changes: Any) -> str:
        """From the start, perhaps with another integrator, step or rate."""
        with self._change:
            text = self.attempt(lambda: self.session.reset(**changes))
            self.around.reset()
            if self.training is not None:
                self.training.reset()
            for controls in self._controls.values():
                controls.restart()
            return text

    def _watch(self) -> None:
        seen, plots_due, ledger_due = -1.0, 0.0, 0.0
        while not self._end.wait(self._period):
            now = time.monotonic()
            with self._change:
                for controls in list(self._controls.values()):
                    controls.tick(now)
                if any(controls.pulse.behind for controls in self._controls.values()):
                    continue
                rows = self.session.recent(WINDOW)
                if len(rows):
                    fresh = rows[rows[:, 0] > seen] if rows[-1, 0] >= seen else rows
                    seen = float(rows[-1, 0])
                    self._show(rows, fresh)
                if now >= plots_due:
                    plots_due = now + max(PLOT_PERIOD, self._period)
                    self._show_panels(rows)
                if now >= ledger_due:
                    ledger_due = now + max(LEDGER_PERIOD, self._period)
                    write(self._ledger, ledger_panel(self.session.run.ledger()))
                self.pictures += bool(self._controls)
                for controls in self._controls.values():
                    controls.pulse.sent()

    def _show(self, rows: Any, fresh: Any) -> None:
        index = self.session.index
        q = rows[-1][[index[n] for n in self.session.stage.joints]]
        with self.server.atomic():
            self.machine.show(q)
            self.around.show(q, fresh, index)
            if self.training is not None:
                orders = self.training.advance(fresh, index)
                self.around.show_target(self.training.target)
                if orders:
                    self.attempt(lambda: self.session.run.set(orders))

    def _show_panels(self, rows: Any) -> None:
        held = self.control.holder
        operator = "nobody" if held is None else f"client {held}"
        write(self._headline, headline(self.session, operator, len(self._controls), self.training))
        if len(rows) > 1 and rows[-1, 0] != self._plotted:
            self._plotted = float(rows[-1, 0])
            self.plots.show(rows, self.session.index)
            write(self._bars, bars(self.session.stage.gauges, rows, self.session.index))
