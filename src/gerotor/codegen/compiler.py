"""C source to a loaded library: compiler found, result cached by content.

Several processes may build the same library at once: each writes its own file and renames it into
place. Where the cache folder cannot be written or is not ours alone, a folder of this process serves.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from gerotor.cache import cache_folder, process_folder
from gerotor.codegen import stored
from gerotor.codegen.command import compiled
from gerotor.codegen.opened import opened
from gerotor.errors import BuildError

FLAGS = (
    "-O1", "-march=native", "-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math", "-fPIC", "-shared", "-std=c11", "-w",
)
FORM = "library and digest"  # of the files in the cache
Source = str | Callable[[], str]


@lru_cache(maxsize=1)
def find_compiler() -> tuple[str, ...] | None:
    """The compiler's command: $CC, cc, gcc, clang, or the ziglang package; None where there is none.

    GEROTOR_NO_COMPILER=1 in the environment hides all of them.
    """
    if os.environ.get("GEROTOR_NO_COMPILER"):
        return None
    for name in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        command = name.split()
        if command and shutil.which(command[0]):
            return tuple(command)
    if importlib.util.find_spec("ziglang"):
        return (sys.executable, "-m", "ziglang", "cc")
    return None


@lru_cache(maxsize=1)
def _machine() -> str:
    """What -march=native depends on."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line for line in lines if line.startswith(("flags", "Features")))
    except (OSError, StopIteration):
        return platform.machine() + platform.processor()


def load(source: Source, flags: tuple[str, ...] = FLAGS, key: str = "") -> ctypes.CDLL:
    """The library of `source`, loaded."""
    return opened(build(source, flags, key))


def build(source: Source, flags: tuple[str, ...] = FLAGS, key: str = "") -> bytes:
    """The library of `source`, from the cache or compiled now.

    With a `key` that says all the source would, the source is asked for only when there is no library yet.
    """
    command = find_compiler()
    if command is None:
        raise BuildError("no C compiler found: install gcc or clang, or `pip install ziglang`")
    text = source if callable(source) else lambda: source
    written = "" if key else text()
    name = hashlib.sha256("\0".join((FORM, key or written, *command, *flags, _machine())).encode()).hexdigest()[:32]
    library: bytes | None = None
    for place in (cache_folder, process_folder):
        with suppress(OSError):
            folder = place()
            if not stored.usable(folder):
                continue
            found = stored.read(folder, name)
            if found is not None:
                return found
            if library is None:
                written = written or text()
                library = compiled(written, command, flags, folder)
            stored.write(folder, name, library)
            return library
    if library is None:
        raise BuildError(f"cannot write to {cache_folder()} nor to {tempfile.gettempdir()}: free some space or set GEROTOR_CACHE")
    return library
