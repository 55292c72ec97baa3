"""The user's cache folder: compiled kernels and unit factors, safe to delete at any time."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """$GEROTOR_CACHE, or `gerotor` in the user's cache folder."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("GEROTOR_CACHE") or Path(home) / "gerotor")
