"""Find, read and validate machine files."""

from __future__ import annotations

from collections.abc import Hashable
from importlib import resources
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from gerotor.errors import InputError, unknown
from gerotor.machines.schema import MachineFile

LIMIT = 1_000_000  # bytes of a machine file


class _Loader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):  # type: ignore[misc]
    """Safe loader that refuses duplicate keys and aliases (a billion laughs)."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.events.AliasEvent):
            raise yaml.YAMLError("aliases are not allowed")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        keys = [k.value for k, _ in node.value]
        twice = sorted({str(k) for k in keys if keys.count(k) > 1})
        if twice:
            raise yaml.YAMLError(f"duplicate key {', '.join(twice)} at line {node.start_mark.line + 1}")
        mapping: dict[Hashable, Any] = super().construct_mapping(node, deep)
        return mapping


def read_yaml(path: Path) -> dict[str, Any]:
    """The mapping in a YAML file, or an InputError in one line."""
    try:
        if path.stat().st_size > LIMIT:
            raise InputError(f"{path}: {path.stat().st_size} bytes, more than {LIMIT}: not a machine or scenario file")
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error.__class__.__name__}: {str(error).splitlines()[0]})") from None
    try:
        document = yaml.load(text, _Loader)
    except (yaml.YAMLError, ValueError, RecursionError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: not valid YAML ({' '.join(str(error).split())[:200]})") from None
    if not isinstance(document, dict):
        raise InputError(f"{path}: expected keys and values at the top, got {type(document).__name__}")
    return document


def first_errors(path: Path | str, error: ValidationError) -> InputError:
    """A pydantic error as one line: file, path, what is wrong."""
    items = []
    for item in error.errors()[:3]:
        where = ".".join(str(k) for k in item["loc"]) or "top"
        message = item["msg"].removeprefix("Value error, ")
        shown = f" = {item['input']!r}" if isinstance(item["input"], str | int | float) and "=" not in message else ""
        items.append(f"{where}{shown[:60]}: {message}")
    more = f" (and {error.error_count() - 3} more)" if error.error_count() > 3 else ""
    return InputError(f"{path}: {'; '.join(' '.join(i.split()) for i in items)}{more}")


def reference_machines() -> dict[str, Path]:
    """Names and files of the machines that come with the package."""
    root = Path(str(resources.files("gerotor.machines")))
    return {f.stem.replace("_", "-"): f for f in sorted(root.glob("*/*.yaml"))}


def find_machine(name: str | Path) -> Path:
    """A reference machine by name, or a file by path."""
    known = reference_machines()
    if str(name) in known:
        return known[str(name)]
    path = Path(name)
    if path.suffix in (".yaml", ".yml"):
        return path
    raise InputError(f"{unknown('machine', str(name), list(known))}; or give a .yaml file")


def read_document(path: Path, depth: int = 0) -> dict[str, Any]:
    """The document of a machine file, with what it `extends` underneath."""
    document = read_yaml(path)
    base = document.get("extends")
    if base is None:
        return document
    if depth > 4:
        raise InputError(f"{path}: extends more than 4 files deep; is it a circle?")
    if not isinstance(base, str):
        raise InputError(f"{path}: extends = {base!r}: must be a machine's name or file")
    parent = find_machine(path.parent / base) if (path.parent / base).is_file() else find_machine(base)
    merged: dict[str, Any] = merge(read_document(parent, depth + 1), document)
    return merged


def merge(base: Any, over: Any) -> Any:
    """`over` on top of `base`: mappings key by key, lists of named items by name, all else replaced."""
    if isinstance(base, dict) and isinstance(over, dict):
        return {k: merge(base[k], over[k]) if k in base and k in over else over.get(k, base.get(k)) for k in {**base, **over}}
    if _named(base) and _named(over):
        known = {i["name"] for i in base}
        changed = {i["name"]: i for i in over}
        return [merge(i, changed[i["name"]]) if i["name"] in changed else i for i in base] + [
            i for i in over if i["name"] not in known
        ]
    return over


def _named(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(i, dict) and isinstance(i.get("name"), str) for i in value)


def validate(document: dict[str, Any], path: Path | str) -> MachineFile:
    """The document as a MachineFile."""
    try:
        return MachineFile.model_validate(document)
    except ValidationError as error:
        raise first_errors(path, error) from None
    except RecursionError:
        raise InputError(f"{path}: nested too deeply") from None
