"""Stay until Ctrl-C or until the time is up."""

from __future__ import annotations

import time


def wait(seconds: float | None) -> None:
    """Return after `seconds`, or never of itself where there is no limit; Ctrl-C ends it quietly."""
    began = time.monotonic()
    try:
        while seconds is None or time.monotonic() - began < seconds:
            time.sleep(0.2)
    except KeyboardInterrupt:
        return
