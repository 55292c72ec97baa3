"""Bytes that were checked, as a loaded library: from memory, so that nobody changes them on the way.

A file could change between check and use, or be cut short while it runs (SIGBUS). Linux loads from an anonymous
file in memory; elsewhere a copy in the private folder of this process serves.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
from contextlib import suppress
from itertools import count

from gerotor.cache import process_folder
from gerotor.errors import BuildError

_opened: dict[str, ctypes.CDLL] = {}
_slashes = count()


def opened(library: bytes) -> ctypes.CDLL:
    """The library, loaded; the same bytes are loaded once a process."""
    digest = hashlib.sha256(library).hexdigest()
    if digest not in _opened:
        try:
            _opened[digest] = _from_memory(library)
        except (OSError, AttributeError):
            _opened[digest] = _from_copy(library, digest)
    return _opened[digest]


def _from_memory(library: bytes) -> ctypes.CDLL:
    descriptor = os.memfd_create("gerotor")
    try:
        with os.fdopen(descriptor, "wb", closefd=False) as file:
            file.write(library)
        # the loader takes a path it has seen for the library it had there, and descriptors are used again:
        # slashes tell the paths apart
        return ctypes.CDLL(f"/proc/self/fd/{'/' * next(_slashes)}{descriptor}")
    finally:
        os.close(descriptor)


def _from_copy(library: bytes, digest: str) -> ctypes.CDLL:
    file = None
    try:
        file = process_folder() / f"{digest}.so"
        file.write_bytes(library)
        return ctypes.CDLL(str(file))
    except OSError as error:
        raise BuildError(f"a compiled kernel cannot be loaded: {error}; is the compiler ($CC) one for this machine?") from None
    finally:
        if file is not None:
            with suppress(OSError):
                file.unlink()
