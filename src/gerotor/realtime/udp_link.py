"""The UDP link of a paced run: a controller in another process, or on another machine, closes the loop.

Binary packets are read, checked and answered inside the loop's own thread, without Python. A command
sets all inputs of the run, in the order of `run.inputs`; the run sends the signals `states` to whoever
commands, every `every` ticks. Silence: see PacedRun.watch_inputs.
"""

from __future__ import annotations

import ctypes
import socket
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from gerotor.errors import DeviceError, InputError, unknown
from gerotor.realtime.paced_run import PacedRun
from gerotor.realtime.shared import VALUES_MAX
from gerotor.realtime.udp_packet import Packet, layout_number


class UdpLink:
    """Attach to a paced run before it starts. With `peer` (host, port) nobody else is heard; else the first
    valid sender is, until it falls silent."""

    def __init__(self, run: PacedRun, *, host: str = "127.0.0.1", port: int = 0, peer: tuple[str, int] | None = None,
                 states: Sequence[str] | None = None, every: int = 1) -> None:
        if run.running:
            raise InputError("a UDP link is attached before the run starts")
        self.run, self.inputs = run, list(run.inputs)
        self.states = list(states) if states is not None else list(run.names)
        for name in self.states:
            if name not in run.names:
                raise InputError(f"state packet: {unknown('recorded signal', name, run.names)}")
        if max(len(self.inputs), len(self.states)) > VALUES_MAX:
            asked = f"{len(self.inputs)} inputs, {len(self.states)} states"
            raise InputError(f"a packet has at most {VALUES_MAX} values, asked for: {asked}")
        if every < 1:
            raise InputError(f"every = {every}: a state packet is sent every tick (1) or less often")
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self.socket.bind((host, port))
            address = socket.gethostbyname(peer[0]) if peer else "0.0.0.0"
        except (OSError, OverflowError) as error:
            self.socket.close()
            raise DeviceError(f"UDP {host}:{port}: cannot be opened ({error})") from None
        self.socket.setblocking(False)
        self.port = int(self.socket.getsockname()[1])
        self._lower, self._upper = (self._limits(key) for key in ("lower", "upper"))
        self._columns = np.array([1 + run.names.index(n) for n in self.states], dtype=np.int64)
        link = run.c.link
        link.socket, link.every, link.fixed_peer = self.socket.fileno(), every, int(peer is not None)
        if peer:
            link.peer_address = struct.unpack("=I", socket.inet_aton(address))[0]
            link.peer_port = socket.htons(peer[1])
        link.command_layout = ctypes.c_longlong(layout_number(self.inputs)).value
        link.state_layout = ctypes.c_longlong(layout_number(self.states)).value
        link.lower, link.upper = self._lower.ctypes.data, self._upper.ctypes.data
        link.count, link.column = len(self.states), self._columns.ctypes.data
        run.keep.append(self)

    def _limits(self, key: str) -> Any:
        program = self.run.simulation.program
        layouts = [program.held if n in program.held else program.ode.parameters for n in self.inputs]
        limits = [getattr(layout.entries[layout.index(n)], key) for layout, n in zip(layouts, self.inputs, strict=True)]
        return np.array(limits, dtype=float)

    @property
    def counts(self) -> dict[str, int]:
        """Packets received, refused, sent, not sent."""
        link = self.run.c.link
        return {"received": link.received, "refused": link.refused, "sent": link.sent, "unsent": link.unsent}

    def close(self) -> None:
        """After the run has stopped."""
        self.run.c.link.socket = -1
        self.socket.close()


class UdpPeer:
    """The other end: send commands, read states. `binary=False` speaks JSON, through a JsonBridge."""

    def __init__(self, address: tuple[str, int], inputs: Sequence[str], states: Sequence[str], *, binary: bool = True) -> None:
        self.address, self.inputs, self.states, self.binary = address, list(inputs), list(states), binary
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.sequence = 0

    def send(self, values: dict[str, float]) -> None:
        self.sequence += 1
        packet = Packet("command", self.sequence, layout_number(self.inputs), 0.0, tuple(values[n] for n in self.inputs))
        self.socket.sendto(packet.to_bytes() if self.binary else packet.to_json(self.inputs), self.address)

    def receive(self, timeout: float = 1.0) -> tuple[float, dict[str, float]] | None:
        """Time and signals of the next state packet; None where none comes."""
        self.socket.settimeout(timeout)
        try:
            data = self.socket.recv(65536)
        except (TimeoutError, ConnectionError):
            return None
        packet = Packet.from_bytes(data) if self.binary else Packet.from_json(data, self.states)
        return packet.time, dict(zip(self.states, packet.values, strict=True))

    def close(self) -> None:
        self.socket.close()
