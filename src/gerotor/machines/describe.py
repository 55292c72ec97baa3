"""Every number of a machine with its unit and source, as rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gerotor.machines.machine import Machine


def rows(machine: Machine) -> list[tuple[str, str, str]]:
    """(path, value as written, source) of every value in the machine's file."""
    return document_rows(machine.document)


def document_rows(content: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """The same for the content of any file of that kind."""
    skip = {"source", "name", "title", "notes", "extends"}
    document = {k: v for k, v in content.items() if k not in skip}
    return list(_walk(document, "", str(content.get("source", ""))))


def _walk(value: Any, path: str, source: str) -> Iterator[tuple[str, str, str]]:
    if isinstance(value, Mapping):
        inner = str(value.get("source", source))
        for key, item in value.items():
            if key not in ("source", "name"):
                yield from _walk(item, f"{path}.{key}" if path else str(key), inner)
    elif isinstance(value, list) and any(isinstance(i, Mapping | list) for i in value):
        for k, item in enumerate(value):
            label = item.get("name", k) if isinstance(item, Mapping) else k
            yield from _walk(item, f"{path}.{label}", source)
    else:
        yield path, ", ".join(map(str, value)) if isinstance(value, list) else str(value), source
