"""Whether a client keeps up: it is asked something after each picture, and the next one waits for its answer.

Pages answer in the order of what they were sent, so an answer means that everything before it is on the
screen. A slow browser thus gets fewer pictures instead of a growing backlog.
"""

from __future__ import annotations

import threading
import time
import warnings
from typing import Any

warnings.filterwarnings("ignore", message="Queued a .* on a closed connection")  # a browser may be gone at any time
PATIENCE = 10.0  # s: a client that does not answer holds nobody up for longer


class Pulse:
    """`sent` after a picture; `behind` until the client has answered."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._asked = threading.Event()
        self._since = 0.0
        self._end = False
        threading.Thread(target=self._ask, daemon=True).start()

    def sent(self) -> None:
        if not self._asked.is_set():
            self._since = time.monotonic()
            self._asked.set()

    @property
    def behind(self) -> bool:
        return self._asked.is_set() and time.monotonic() - self._since < PATIENCE

    def close(self) -> None:
        self._end = True
        self._asked.set()

    def _ask(self) -> None:
        while True:
            self._asked.wait()
            if self._end:
                return
            try:
                self._client.local_storage.get_item("gerotor-pulse", timeout=3 * PATIENCE)
            except TimeoutError:
                continue
            except RuntimeError:
                return
            finally:
                if not self._end:
                    self._asked.clear()
