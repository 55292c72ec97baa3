"""The structure that a paced loop and Python share, and the compiled functions that work on it."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from importlib import resources
from typing import Any

from gerotor.codegen.compiler import find_compiler, load
from gerotor.codegen.source import world_header
from gerotor.errors import BuildError

_P, _I, _D = ctypes.c_void_p, ctypes.c_longlong, ctypes.c_double
BINS, CHUNK, VALUES_MAX = 640, 64, 180

POLICIES = ("catch up", "skip", "stretch", "stop")
STATES = ("ready", "running", "paused", "stopped", "out of range", "missed a deadline")
INPUT_STATES = ("live", "hold", "safe stop")
RIGHTS = {1: "SCHED_FIFO", 2: "memory lock", 4: "processor"}

_HEADERS = """
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
"""


class CLedger(ctypes.Structure):
    """Mirrors `Ledger` of paced.h."""

    _fields_ = [
        *((name, _I) for name in (
            "ticks", "steps", "missed", "burst", "longest_burst", "caught_up", "skipped", "slip",
            "worst_lateness", "worst_compute", "compute_sum",
        )),
        ("lateness", _I * BINS), ("compute", _I * BINS),
    ]


class CLink(ctypes.Structure):
    """Mirrors `Link` of paced.h."""

    _fields_ = [
        ("socket", _I), ("every", _I), ("fixed_peer", _I), ("peer_address", _I), ("peer_port", _I), ("command_layout", _I),
        ("state_layout", _I), ("lower", _P), ("upper", _P), ("count", _I), ("column", _P), ("sequence_in", _I),
        ("sequence_out", _I), ("received", _I), ("refused", _I), ("sent", _I), ("unsent", _I),
    ]


class CPaced(ctypes.Structure):
    """Mirrors `Paced` of paced.h."""

    _fields_ = [
        ("run", _P), ("record", _P), ("world", _P), ("clock", _P), ("sleep", _P), ("period", _I), ("spin", _I), ("backlog", _I),
        ("ticks_max", _I), ("fifo", _I), ("lock", _I), ("cpu", _I), ("steps_per_tick", _D), ("inputs", _I), ("target", _P),
        ("held", _I), ("safe", _P), ("from", _P), ("forced", _P), ("stop_time", _D),
        ("hold_after", _I), ("safe_after", _I), ("ring", _P), ("ring_rows", _I), ("row_width", _I),
        ("link", CLink), ("stop", _I), ("pause", _I), ("single", _I), ("policy", _I), ("emergency", _I), ("scale", _D),
        ("inbox", _P), ("inbox_sequence", _I), ("inbox_taken", _I), ("input_time", _I), ("state", _I), ("input_state", _I),
        ("fresh", _I), ("head", _I), ("tail", _I), ("rows_lost", _I), ("refused_rights", _I), ("debt", _D), ("onset", _D),
        ("ledger", CLedger),
    ]


@lru_cache(maxsize=1)
def native() -> Any:
    """The compiled loop, built once and cached like every kernel."""
    if find_compiler() is None:
        raise BuildError("a paced run is native code and needs a C compiler: install gcc, or `pip install ziglang`")
    files = resources.files("gerotor.realtime")
    parts = [(files / name).read_text() for name in ("paced.h", "link.c", "paced.c")]
    library = load("\n".join([_HEADERS, world_header(), *parts]))
    library.paced_loop.argtypes, library.paced_loop.restype = [_P], None
    library.paced_inputs.argtypes, library.paced_inputs.restype = [_P, _P], None
    library.paced_drain.argtypes, library.paced_drain.restype = [_P, _P, _I], _I
    library.paced_size.restype = _I
    if library.paced_size() != ctypes.sizeof(CPaced):
        raise BuildError(f"paced.h: {library.paced_size()} bytes, shared.py: {ctypes.sizeof(CPaced)}: they must be equal")
    return library
