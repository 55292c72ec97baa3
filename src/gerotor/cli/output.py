"""Where results go: folders and files that can be written to, checked before any work is done."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.table import Table

from gerotor.errors import InputError


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """What goes wrong with a file inside the block, a full disk for one, is said in one line."""
    try:
        yield
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{path}: cannot be written ({reason}); choose another place") from None


def writable(folder: Path) -> Path:
    """`folder`, made if needed."""
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".gerotor-write-test"
        probe.touch()
        probe.unlink()
    return folder


def writable_file(path: Path | None) -> None:
    """A file to come, if one is asked for: its folder is made, and what stands there now can be replaced."""
    if path is None:
        return
    writable(path.parent)
    with writing(path):
        if path.exists():
            path.open("a").close()


def write_json(path: Path | None, document: Any) -> None:
    """The document, if a file is asked for."""
    if path is not None:
        with writing(path):
            path.write_text(json.dumps(document, indent=2))


def plain_table(*heads: str) -> Table:
    """A table without lines; what is too long for a narrow terminal is folded, never cut off."""
    table = Table(box=None, pad_edge=False)
    for head in heads:
        table.add_column(head, overflow="fold")
    return table
