"""Where results go: folders that can be written to."""

from __future__ import annotations

from pathlib import Path

from gerotor.errors import InputError


def writable(folder: Path) -> Path:
    """`folder`, made if needed, or an InputError before any work is done."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".gerotor-write-test"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror}); choose another folder") from None
    return folder
