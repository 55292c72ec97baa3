"""JSON in place of binary packets, for peers that would rather not pack structures; some 100 packets a second."""

from __future__ import annotations

import socket
import threading

from gerotor.errors import GerotorError, InputError
from gerotor.realtime.paced_run import PacedRun
from gerotor.realtime.udp_packet import Packet, layout_number


class JsonBridge:
    """Listens beside a paced run; every accepted command is answered with the newest state."""

    def __init__(self, run: PacedRun, states: list[str], *, host: str = "127.0.0.1", port: int = 0) -> None:
        for name in states:
            if name not in run.names:
                raise InputError(f"{name} is not recorded by this run")
        self.run, self.states = run, states
        self.received, self.refused, self._sequence, self._sent = 0, 0, -1, 0
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((host, port))
        self.socket.settimeout(0.1)
        self.port = int(self.socket.getsockname()[1])
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while not self._end.is_set():
            try:
                data, sender = self.socket.recvfrom(65536)
            except (TimeoutError, ConnectionError):
                continue
            except OSError:
                return
            try:
                packet = Packet.from_json(data, self.run.inputs)
                silent = self.run.input_state != "live"
                if packet.kind != "command" or packet.layout != layout_number(self.run.inputs):
                    raise InputError("not a command for this run")
                if packet.sequence <= self._sequence and not silent:
                    raise InputError("old sequence")
                self.run.set(dict(zip(self.run.inputs, packet.values, strict=True)))
            except GerotorError:
                self.refused += 1
                continue
            self._sequence = packet.sequence
            self.received += 1
            self._sent += 1
            self.socket.sendto(self._state(), sender)

    def _state(self) -> bytes:
        row = self.run.latest()
        values = tuple(float(row[1 + self.run.names.index(n)]) for n in self.states)
        return Packet("state", self._sent, layout_number(self.states), float(row[0]), values).to_json(self.states)

    def close(self) -> None:
        self._end.set()
        self._thread.join()
        self.socket.close()
