"""The user's cache folder: compiled kernels and unit factors, safe to delete at any time.

Whoever can write to it could make us run his code, so it is ours alone (mode 0700) and looked at before
anything in it is believed. Root is believed: it could change this program as well.
"""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import tempfile
from contextlib import suppress
from functools import lru_cache
from pathlib import Path


def cache_folder() -> Path:
    """$GEROTOR_CACHE, or `gerotor` in the user's cache folder; made if absent. A user without a home has the folder
    of this process."""
    folder = os.environ.get("GEROTOR_CACHE") or os.environ.get("XDG_CACHE_HOME")
    try:
        path = Path(folder or Path.home() / ".cache")
    except RuntimeError:
        return process_folder()
    if not os.environ.get("GEROTOR_CACHE"):
        path /= "gerotor"
    with suppress(OSError):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


@lru_cache(maxsize=1)
def process_folder() -> Path:
    """A private folder that ends with this process."""
    folder = tempfile.mkdtemp(prefix="gerotor-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def distrust(folder: Path) -> str:
    """Why others could have written what lies in this folder; empty where only we can. OSError where there is none."""
    return _foreign(os.lstat(folder)) or foreign(os.stat(folder))


def foreign(status: os.stat_result) -> str:
    """Why others could have written this file or folder; empty where only we (or root) can."""
    if reason := _foreign(status):
        return reason
    if hasattr(os, "getuid") and status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"others may write to it (mode {stat.S_IMODE(status.st_mode):04o})"
    return ""


def _foreign(status: os.stat_result) -> str:
    """Of a link only the owner counts: its mode says nothing."""
    if hasattr(os, "getuid") and status.st_uid not in (os.getuid(), 0):
        return f"it belongs to another user (number {status.st_uid})"
    return ""
