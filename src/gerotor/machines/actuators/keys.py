"""Keys of a section: all that are needed, none that are unknown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gerotor.errors import InputError, unknown


def expect(section: Any, path: str, needed: tuple[str, ...], optional: tuple[str, ...] = ()) -> None:
    """Raise InputError naming the missing keys or the first unknown one; `kind` and `source` are always allowed."""
    if not isinstance(section, Mapping):
        raise InputError(f"{path}: expected a section with {', '.join(needed)}, got {section!r}")
    missing = [key for key in needed if key not in section]
    if missing:
        others = f", and so {'is' if len(missing) == 2 else 'are'} {', '.join(missing[1:])}" if len(missing) > 1 else ""
        raise InputError(f"{path}.{missing[0]} is missing{others}")
    for key in section:
        if key not in needed and key not in optional and key not in ("kind", "source"):
            raise InputError(f"{path}.{key}: {unknown('key', str(key), [*needed, *optional])}")
