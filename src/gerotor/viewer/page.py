"""The live page: a session in the browser. Everybody sees; one operator holds the controls."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from gerotor.errors import DeviceError, GerotorError
from gerotor.realtime.session import Session
from gerotor.realtime.training import Training
from gerotor.viewer.control import Control, is_local
from gerotor.viewer.controls import Controls
from gerotor.viewer.machine_scene import MachineScene
from gerotor.viewer.panels import WINDOW, Plots, bars, headline, ledger_panel
from gerotor.viewer.surroundings import Surroundings

PLOT_PERIOD, LEDGER_PERIOD = 0.25, 1.0  # s
Make = Callable[[str, str], Session]  # machine, scenario -> a session, not started


def open_server(host: str, port: int) -> Any:
    """A viser server, or a DeviceError that says what to do."""
    try:
        import viser
    except ImportError:
        raise DeviceError("the live page needs viser: pip install 'gerotor[live]'") from None
    try:
        return viser.ViserServer(host=host, port=port, label="Gerotor", verbose=False)
    except OSError as error:
        raise DeviceError(f"{host}:{port}: cannot be opened ({error.strerror}); choose another --port") from None


def write(panel: Any, content: str) -> None:
    """Send a panel's content only where it has changed."""
    if panel.content != content:
        panel.content = content


class LivePage:
    """`choices` are the machines and their scenarios; `make` builds a session of one of them."""

    def __init__(self, session: Session, choices: dict[str, list[str]], make: Make, *, host: str = "127.0.0.1",
                 port: int = 8080, token: str = "", frames: float = 25.0) -> None:
        self.session, self.choices, self._make = session, choices, make
        self.control, self._period = Control(token), 1 / frames
        self.server = open_server(host, port)
        self.port = int(self.server.get_port())
        self.server.gui.configure_theme(show_logo=False, show_share_button=False, brand_color=(232, 89, 12))
        self._controls: dict[int, Controls] = {}
        self._plotted = -1.0
        self._end = threading.Event()
        self._change = threading.RLock()
        self._build()
        self.server.on_client_connect(self._joined)
        self.server.on_client_disconnect(self._left)
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def _build(self) -> None:
        """Scene and shared panels of the present session."""
        server, stage = self.server, self.session.stage
        server.scene.reset()
        server.gui.reset()
        server.scene.set_up_direction("+z")
        start = np.array([stage.start.get(n, 0.0) for n in stage.joints])
        self.machine = MachineScene(server.scene, stage.tree, stage.tool, start, stage.rods)
        self.around = Surroundings(server.scene, stage, self.machine)
        self.training = Training(stage.course) if stage.course is not None else None
        self._aim()
        server.gui.main_panel.dock_right()
        server.gui.main_panel.set_width(330)
        self._headline = server.gui.add_html("", order=-100)
        panel = server.gui.add_panel()
        with panel.add_tab("Plots"):
            self.plots = Plots(server.gui, stage.gauges)
        with panel.add_tab("Gauges"):
            self._bars = server.gui.add_html("")
        with panel.add_tab("Deadlines"):
            self._ledger = server.gui.add_html("")
        panel.dock_left()
        panel.set_width(360)

    def _aim(self, client: Any = None) -> None:
        """The whole machine in view."""
        middle, eye = self.machine.viewpoint()
        camera = self.server.initial_camera if client is None else client.camera
        camera.position, camera.look_at = tuple(eye), tuple(middle)

    def aim_at_tool(self, client: Any) -> None:
        """The tool and what it touches, close."""
        tip = self.machine.tool_position(self.machine.q)
        if self.session.stage.pipe is not None:
            cut = self.session.stage.pipe.cut
            tip = np.array([0.0, 0.75 * float(cut.pipe_y) + 0.25 * tip[1], float(cut.pipe_z)])
        client.camera.position = tuple(tip + 0.15 * self.machine.reach * np.array([0.75, 0.6, 0.55]))
        client.camera.look_at = tuple(tip)

    def aim_at_all(self, client: Any) -> None:
        self._aim(client)

    def start(self) -> LivePage:
        self._thread.start()
        return self

    def close(self) -> None:
        self._end.set()
        self._thread.join()
        self.server.stop()

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
                self._aim(client)
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
            write(self._bars, bars(self.session.stage.gauges, rows[-1], self.session.index))
