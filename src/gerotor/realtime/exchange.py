"""Two simulations in two processes that advance together over UDP, one packet each way a tick, paced in real time.

The leader is paced by the clock; the follower answers. As long as no packet is lost or late, both compute exactly what one
process would. Lost and late packets: the side that misses one holds its last values and goes on in real time; after
`limit` silent ticks it stops safely and keeps its recording. Malformed packets are counted and change nothing.
The packet is documented in docs/exchange.md.
"""

from __future__ import annotations

import ctypes
import hashlib
import socket
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

import numpy as np

from gerotor.codegen.compiler import find_compiler, load
from gerotor.codegen.source import world_header
from gerotor.codegen.world import World, multiple
from gerotor.errors import BuildError, DeviceError, InputError, WiringError, unknown
from gerotor.realtime.ledger import Ledger
from gerotor.realtime.shared import _HEADERS as HEADERS
from gerotor.realtime.shared import VALUES_MAX, CLedger
from gerotor.simulation.recording import Recording
from gerotor.simulation.simulation import Simulation

_P, _I = ctypes.c_void_p, ctypes.c_longlong
STATES = ("waiting", "together", "ended", "peer stopped", "peer lost", "out of range", "no peer")


class CExchange(ctypes.Structure):
    """Mirrors `Exchange` of exchange.c."""

    _fields_ = [
        ("run", _P), ("record", _P), ("world", _P), ("socket", _I), ("leads", _I), ("period", _I), ("patience", _I),
        ("ticks_max", _I), ("steps", _I), ("limit", _I), ("settle", _I), ("layout_in", _I), ("layout_out", _I),
        ("inputs", _I), ("outputs", _I), ("target", _P), ("lower", _P), ("upper", _P), ("column", _P), ("freezes", _I),
        ("freeze_target", _P), ("freeze_column", _P), ("fresh", _P), ("fifo", _I), ("cpu", _I), ("stop", _I),
        ("state", _I), ("tick", _I), ("heard", _I),
        *((name, _I) for name in (
            "received", "lost", "late", "duplicated", "malformed", "sent", "unsent", "held", "silent", "longest_silence",
        )),
        ("ledger", CLedger),
    ]


@lru_cache(maxsize=1)
def native() -> Any:
    """The compiled exchange."""
    if find_compiler() is None:
        raise BuildError("an exchange is native code and needs a C compiler: install gcc, or `pip install ziglang`")
    files = resources.files("gerotor.realtime")
    parts = [(files / name).read_text() for name in ("paced.h", "link.c", "paced.c", "exchange.c")]
    library = load("\n".join([HEADERS, "#include <poll.h>", world_header(), *parts]))
    library.exchange_loop.argtypes, library.exchange_loop.restype = [_P], None
    library.exchange_size.restype = _I
    if library.exchange_size() != ctypes.sizeof(CExchange):
        sizes = f"exchange.c: {library.exchange_size()} bytes, exchange.py: {ctypes.sizeof(CExchange)}"
        raise BuildError(f"{sizes}: they must be equal")
    return library


def layout_number(names: Sequence[str]) -> int:
    """63 bits that stand for a list of names: both sides must mean the same."""
    return int.from_bytes(hashlib.sha256("\n".join(names).encode()).digest()[:8], "little") >> 1


@dataclass(frozen=True)
class Traffic:
    """Packets of one side. `held`: ticks run on held values; `longest_silence`: most of them in a row."""

    received: int
    lost: int
    late: int
    duplicated: int
    malformed: int
    sent: int
    unsent: int
    held: int
    longest_silence: int


@dataclass(frozen=True)
class Outcome:
    """How an exchange ended, with everything it recorded."""

    state: str
    ticks: int
    traffic: Traffic
    ledger: Ledger
    recording: Recording


class Exchange:
    """One side: `world` of `simulation` advances `period` a tick; `takes` are its inputs from the peer, `gives` what it sends.

    `local` and `peer` are (host, port). In a safe stop a follower sets the inputs named in `freeze` to the signals they map
    to and goes on for `settle` seconds, so that its machine comes to rest. A leader's input named `fresh` is
    set each tick to 1 (a new reading), 0 (none) or 2 (new after a gap). `fifo` is a real-time priority, `cpu` a processor;
    where they are not permitted the exchange runs without.
    """

    def __init__(self, simulation: Simulation, world: World, *, leads: bool, local: tuple[str, int], peer: tuple[str, int],
                 takes: Sequence[str], gives: Sequence[str], record: Sequence[str] = (), duration: float, period: float = 1e-3,
                 limit: int = 50, settle: float = 0.2, patience: float = 10.0, freeze: Mapping[str, str] | None = None,
                 fresh: str | None = None, fifo: int = 0, cpu: int = -1) -> None:
        if not simulation.kernel.compiled:
            raise InputError("an exchange needs the compiled kernel: build the simulation without compiled=False")
        if simulation.kernel.python_parts:
            raise InputError("parts written in Python cannot run in an exchange; make them native")
        if max(len(takes), len(gives)) > VALUES_MAX:
            raise InputError(f"{max(len(takes), len(gives))} values a packet: at most {VALUES_MAX}")
        if limit < 1 or not duration > 0:
            raise InputError(f"limit = {limit}, duration = {duration} s: must be at least 1 and above 0")
        self._library, self.simulation, self.world, self.period = native(), simulation, world, period
        held = simulation.program.held
        for name in takes:
            if name not in held:
                raise WiringError(unknown("input", name, held.names))
        freeze = dict(freeze or {})
        if fresh is not None and fresh not in held:
            raise WiringError(unknown("input", fresh, held.names))
        self.names = list(dict.fromkeys([*record, *gives, *freeze.values()]))
        ticks = max(1, round(duration / period))
        world.record_to(simulation.positions(self.names), 1, ticks + round(settle / period) + 8)
        world.c.record_every = 0
        address = int(world.w.ctypes.data)
        self._arrays = (
            np.array([address + 8 * held.index(n) for n in takes], dtype=np.uint64),
            np.array([held.entries[held.index(n)].lower for n in takes]),
            np.array([held.entries[held.index(n)].upper for n in takes]),
            np.array([1 + self.names.index(n) for n in gives], dtype=np.int64),
            np.array([address + 8 * held.index(n) for n in freeze], dtype=np.uint64),
            np.array([1 + self.names.index(n) for n in freeze.values()], dtype=np.int64),
        )
        target, lower, upper, column, freeze_target, freeze_column = (a.ctypes.data for a in self._arrays)
        self._socket = _connected(local, peer)
        library = simulation.kernel.library
        self.c = CExchange(
            run=ctypes.cast(library.gerotor_run, _P), record=ctypes.cast(library.gerotor_record, _P),
            world=ctypes.addressof(world.c), socket=self._socket.fileno(), leads=int(leads), period=round(period * 1e9),
            patience=round(patience * 1e9), ticks_max=ticks, steps=multiple(period, world.c.h, "period of the exchange"),
            limit=limit, settle=round(settle / period), layout_in=layout_number(takes), layout_out=layout_number(gives),
            inputs=len(takes), outputs=len(gives), target=target, lower=lower, upper=upper, column=column,
            freezes=len(freeze), freeze_target=freeze_target, freeze_column=freeze_column, fifo=fifo, cpu=cpu,
            fresh=None if fresh is None else address + 8 * held.index(fresh),
        )

    def run(self) -> Outcome:
        """Until the end, a safe stop or `stop`; the interpreter is free meanwhile."""
        try:
            self._library.exchange_loop(ctypes.addressof(self.c))
        finally:
            self._socket.close()
        traffic = Traffic(**{f: getattr(self.c, f) for f in Traffic.__dataclass_fields__})
        ledger = Ledger.read(self.c.ledger, 1 / self.period, "catch up")
        facts = {"machine": self.simulation.ode.name, "step": self.world.c.h, "ended": STATES[self.c.state],
                 "traffic": asdict(traffic), "ledger": ledger.facts()}
        recording = Recording(self.names, self.simulation.units(self.names), self.world.recorded(), facts)
        return Outcome(STATES[self.c.state], self.c.tick, traffic, ledger, recording)

    def stop(self) -> None:
        """From another thread: end after the present tick."""
        self.c.stop = 1


def _connected(local: tuple[str, int], peer: tuple[str, int]) -> socket.socket:
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        made.bind(local)
        made.connect(peer)
    except (OSError, OverflowError, TypeError) as error:
        made.close()
        raise DeviceError(f"UDP {local} to {peer}: {error}; choose a free port and a host that exists") from None
    return made
