"""A stage in the browser: server, scene, and the panels for plots, gauges and deadlines; live and replayed runs fill them."""

from __future__ import annotations

import math
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from gerotor.errors import DeviceError, InputError
from gerotor.realtime.stage import Gauge, Stage
from gerotor.viewer.machine_scene import MachineScene
from gerotor.viewer.plots import Plots
from gerotor.viewer.surroundings import Surroundings

FIELD_OF_VIEW = math.radians(45)
LEFT, RIGHT = 360, 340  # pixels of the panels


@contextmanager
def silent() -> Iterator[None]:
    """Keep viser from printing its own banner beside our line."""
    import rich

    console = rich.get_console()
    before, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = before


def open_server(host: str, port: int) -> Any:
    """A viser server, or a DeviceError that says what to do."""
    try:
        import viser
    except ImportError:
        raise DeviceError("the live page needs viser: pip install 'gerotor[live]'") from None
    _check_address(host, port)
    try:
        with silent():
            return viser.ViserServer(host=host, port=port, label="Gerotor", verbose=False)
    except OSError as error:
        raise DeviceError(f"{host}:{port}: cannot be opened ({error.strerror}); choose another --port") from None


def _check_address(host: str, port: int) -> None:
    """The server would wait for ever on an address that is not this machine's."""
    if not 0 <= port <= 65535:
        raise InputError(f"port = {port}: must be 0 to 65535")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.bind(address)
    except (OSError, UnicodeError) as error:
        raise InputError(f"host = {host!r}: not an address of this machine ({error}); try 127.0.0.1 or 0.0.0.0") from None


def write(panel: Any, content: str) -> None:
    """Send a panel's content only where it has changed."""
    if panel.content != content:
        panel.content = content


class StagePage:
    """`furnish` builds the page of a stage; `_watch` of a subclass keeps it up to date in a thread of its own."""

    machine: MachineScene
    around: Surroundings
    plots: Plots

    def __init__(self, host: str, port: int) -> None:
        self.server = open_server(host, port)
        self.port = int(self.server.get_port())
        self.server.gui.configure_theme(show_logo=False, show_share_button=False, brand_color=(232, 89, 12))
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def furnish(self, stage: Stage, start: Any, gauges: Sequence[Gauge]) -> None:
        """Scene and shared panels, in place of what was there."""
        server = self.server
        server.scene.reset()
        server.gui.reset()
        server.scene.set_up_direction("+z")
        self.machine = MachineScene(server.scene, stage, start)
        self.around = Surroundings(server.scene, stage, self.machine)
        self.aim()
        server.gui.main_panel.dock_right()
        server.gui.main_panel.set_width(RIGHT)
        self._headline = server.gui.add_html("", order=-100)
        panel = server.gui.add_panel()
        with panel.add_tab("Plots"):
            self.plots = Plots(server.gui, gauges)
        with panel.add_tab("Gauges"):
            self._bars = server.gui.add_html("")
        with panel.add_tab("Deadlines"):
            self._ledger = server.gui.add_html("")
        panel.dock_left()
        panel.set_width(LEFT)

    def aim(self, client: Any = None) -> None:
        """The whole machine in view, of one client or of those to come."""
        middle, eye = self.machine.viewpoint(FIELD_OF_VIEW)
        camera = self.server.initial_camera if client is None else client.camera
        camera.fov, camera.position, camera.look_at = FIELD_OF_VIEW, tuple(eye), tuple(middle)

    def start(self) -> StagePage:
        self._thread.start()
        return self

    def close(self) -> None:
        self._end.set()
        self._thread.join()
        with silent():
            self.server.stop()

    def _watch(self) -> None:
        raise NotImplementedError
