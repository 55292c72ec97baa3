"""Who holds the controls: one operator, any number of viewers.

A client on the same machine may take control when nobody holds it; one from elsewhere needs the token
too. Viewers have no controls on their page at all, so nothing they send can mean anything.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import threading


class Control:
    """Hands control to one client at a time; `token` is made up where none is given."""

    def __init__(self, token: str = "") -> None:
        self.token = token or secrets.token_urlsafe(12)
        self.holder: int | None = None
        self._lock = threading.Lock()

    def take(self, client: int, local: bool, token: str = "") -> str:
        """Control to `client`; empty, or why not."""
        with self._lock:
            if self.holder == client:
                return ""
            if self.holder is not None:
                return "someone else holds the controls"
            if not local and not hmac.compare_digest(token.encode(), self.token.encode()):
                return "control from another machine needs the token shown where the page was started"
            self.holder = client
            return ""

    def drop(self, client: int) -> bool:
        """Take control back; whether this client held it."""
        with self._lock:
            held = self.holder == client
            if held:
                self.holder = None
            return held


def is_local(address: object) -> bool:
    """Whether a peer's address is this machine's loopback."""
    try:
        return ipaddress.ip_address(str(address).split("%")[0]).is_loopback
    except ValueError:
        return False
