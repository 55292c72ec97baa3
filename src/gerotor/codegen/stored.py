"""A compiled library on disk, as untrusted input: the library, then the SHA-256 of its name and its bytes.

The name stands for source, compiler, flags and processor. The digest finds every damage (cut short, bits flipped,
one library in place of another) before a byte is run; the owner and mode of file and folder find what another user
has put there. The bytes that were checked are the bytes that are returned: nothing is read twice.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from gerotor.cache import distrust, foreign

_SIZE = hashlib.sha256().digest_size


@lru_cache(maxsize=64)
def say(text: str) -> None:
    """One line, once a process."""
    sys.stderr.write(f"gerotor: {text}\n")


def usable(folder: Path) -> bool:
    """Whether only we can have written what lies there; said in one line where not. OSError where there is no folder."""
    if reason := distrust(folder):
        say(f"{folder} is not used for compiled kernels: {reason}; make it yours alone (chmod 700) or set GEROTOR_CACHE")
    return not reason


def read(folder: Path, name: str) -> bytes | None:
    """The library of that name; None where there is none to be believed."""
    try:
        content, reason = _content(folder / f"{name}.so")
    except FileNotFoundError:
        return None
    library, digest = content[:-_SIZE], content[-_SIZE:]
    if not reason and digest != _digest(name, library):
        reason = "it is damaged"
    if reason:
        say(f"cached library {name}.so refused: {reason}; built again")
        return None
    return library


def write(folder: Path, name: str, library: bytes) -> None:
    """Whole or not at all: written apart, then renamed over whatever is there."""
    descriptor, made = tempfile.mkstemp(dir=folder, prefix="new-")  # mode 0600
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(library + _digest(name, library))
        os.replace(made, folder / f"{name}.so")
    except BaseException:
        with suppress(OSError):
            os.unlink(made)
        raise


def _content(file: Path) -> tuple[bytes, str]:
    """What the file holds, or why it is not even read: links, pipes and files of others."""
    if file.is_symlink():
        return b"", "it is a link"
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    with os.fdopen(os.open(file, flags), "rb") as opened:
        status = os.fstat(opened.fileno())
        if not stat.S_ISREG(status.st_mode):
            return b"", "it is no file"
        reason = foreign(status)
        return (b"" if reason else opened.read()), reason


def _digest(name: str, library: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\0" + library).digest()
