"""A gamepad in the operator's browser: the page polls it and leaves its axes where the server can ask for them."""

from __future__ import annotations

import json
import threading
from typing import Any

KEY, PREFIX = "gerotor-gamepad", "viser-user:"
DEAD_ZONE = 0.12
SCRIPT = """
(() => {
  clearInterval(window.gerotorGamepad);
  window.gerotorGamepad = setInterval(() => {
    const pad = [...navigator.getGamepads()].find(p => p);
    localStorage.setItem("%s", JSON.stringify(pad ? pad.axes.slice(0, 8) : []));
  }, 50);
})();
"""
STOP = "clearInterval(window.gerotorGamepad);"


class Gamepad:
    """Asks the page in a thread of its own; `read` gives (lever number, percent) of the axes that are deflected."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._axes: list[float] = []
        self._end = threading.Event()
        self._script(SCRIPT % (PREFIX + KEY))
        threading.Thread(target=self._ask, daemon=True).start()

    def _script(self, source: str) -> None:
        from viser._messages import RunJavascriptMessage

        self._client._websock_connection.queue_message(RunJavascriptMessage(source=source))

    def _ask(self) -> None:
        while not self._end.wait(0.05):
            try:
                self._axes = axes(self._client.local_storage.get_item(KEY, timeout=1.0))
            except (RuntimeError, TimeoutError, AttributeError):
                self._axes = []
                if self._end.wait(0.5):
                    return

    def read(self) -> list[tuple[int, float]]:
        return [(k, 100 * a) for k, a in enumerate(self._axes) if abs(a) > DEAD_ZONE]

    def close(self) -> None:
        self._end.set()
        self._script(STOP)


def axes(text: Any) -> list[float]:
    """The axes in what a page answered, -1 to 1; nothing where it is anything else."""
    try:
        found = json.loads(text)
        return [min(max(float(a), -1.0), 1.0) for a in found[:8]] if isinstance(found, list) else []
    except (TypeError, ValueError):
        return []
