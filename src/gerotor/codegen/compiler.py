"""C source to a shared library: compiler found, result cached by content.

Several processes may build the same library at once: each writes its own file and renames it into
place. Where the cache folder cannot be written, or what lies in it cannot be loaded, a folder of
this process serves.
"""

from __future__ import annotations

import atexit
import ctypes
import hashlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

from gerotor.cache import cache_folder
from gerotor.errors import BuildError

FLAGS = (
    "-O1", "-march=native", "-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math", "-fPIC", "-shared", "-std=c11", "-w",
)
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
def _process_folder() -> Path:
    folder = tempfile.mkdtemp(prefix="gerotor-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


@lru_cache(maxsize=1)
def _machine() -> str:
    """What -march=native depends on."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line for line in lines if line.startswith(("flags", "Features")))
    except (OSError, StopIteration):
        return platform.machine() + platform.processor()


def load(source: Source, flags: tuple[str, ...] = FLAGS, key: str = "") -> ctypes.CDLL:
    """The library of `source`, loaded; a torn file or a folder that forbids execution is passed over."""
    try:
        return ctypes.CDLL(str(build(source, flags, key=key)))
    except OSError:
        return ctypes.CDLL(str(build(source, flags, (_process_folder,), key=key)))


def build(source: Source, flags: tuple[str, ...] = FLAGS, folders: Sequence[Callable[[], Path]] = (), key: str = "") -> Path:
    """The library of `source`, from the cache or compiled now; `folders` are tried in order.

    With a `key` that says all the source would, the source is asked for only when there is no library yet.
    """
    command = find_compiler()
    if command is None:
        raise BuildError("no C compiler found: install gcc or clang, or `pip install ziglang`")
    write = lru_cache(maxsize=1)(source if callable(source) else lambda: source)
    name = hashlib.sha256("\0".join((key or write(), *command, *flags, _machine())).encode()).hexdigest()[:32]
    for place in folders or (cache_folder, _process_folder):
        try:
            folder = place()
            library = folder / f"{name}.so"
            if library.exists():
                return library
            folder.mkdir(parents=True, exist_ok=True)
            return _compile(write(), command, flags, library)
        except OSError:
            continue
    raise BuildError(f"cannot write to {cache_folder()} nor to {tempfile.gettempdir()}: free some space or set GEROTOR_CACHE")


def _compile(source: str, command: tuple[str, ...], flags: tuple[str, ...], library: Path) -> Path:
    with tempfile.TemporaryDirectory(dir=library.parent, prefix="build-") as place:
        text, made = Path(place) / "kernel.c", Path(place) / "kernel.so"
        text.write_text(source)
        result = subprocess.run(
            [*command, *flags, "-o", str(made), str(text), "-lm"], capture_output=True, text=True, check=False
        )
        if result.returncode != 0:
            if "No space left" in result.stderr:
                raise OSError(result.stderr)
            last = (result.stderr.strip().splitlines() or ["no message"])[-1]
            raise BuildError(f"{command[0]} could not compile the kernel: {last}")
        os.replace(made, library)
    return library
