"""Find, read and validate machine files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from importlib import resources
from os.path import isfile
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from gerotor.errors import InputError, unknown
from gerotor.machines.schema import MachineFile

LIMIT = 300_000  # bytes of a machine file
DEPTH = 30  # sections within sections


class _Loader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):  # type: ignore[misc]
    """Safe loader that refuses duplicate keys."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        keys = Counter(str(k.value) for k, _ in node.value)
        twice = [k for k, count in keys.items() if count > 1]
        if twice:
            raise yaml.YAMLError(f"duplicate key {', '.join(twice[:5])} at line {node.start_mark.line + 1}")
        mapping: dict[Hashable, Any] = super().construct_mapping(node, deep)
        return mapping


def read_yaml(path: Path) -> dict[str, Any]:
    """The mapping in a YAML file, or an InputError in one line."""
    try:
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: not a file")
        if path.stat().st_size > LIMIT:
            raise InputError(f"{path}: {path.stat().st_size} bytes, more than {LIMIT}: not a machine or scenario file")
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise InputError(f"{path}: cannot be read ({reason})") from None
    try:
        _check_events(text)
        document = yaml.load(text, _Loader)
    except (yaml.YAMLError, ValueError, RecursionError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: not valid YAML ({' '.join(str(error).split())[:200]})") from None
    if not isinstance(document, dict):
        raise InputError(f"{path}: expected keys and values at the top, got {type(document).__name__}")
    return document


def _check_events(text: str) -> None:
    """Refuse aliases (a billion laughs) and depths that would exhaust the stack, before anything is built."""
    depth = 0
    for event in yaml.parse(text, _Loader):
        if isinstance(event, yaml.AliasEvent):
            raise yaml.YAMLError(f"aliases are not allowed, line {_line(event)}")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEPTH:
            raise yaml.YAMLError(f"nested more than {DEPTH} deep at line {_line(event)}")


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 0


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


def reference_rigs() -> dict[str, Path]:
    """Names and files of rigs: machines of several halves, with a builder of their own instead of the common schema."""
    root = Path(str(resources.files("gerotor.machines")))
    return {f.stem.replace("_", "-"): f for f in sorted(root.glob("*/data/*.yaml"))}


def find_machine(name: str | Path) -> Path:
    """A reference machine by name, or a file by path: a machine file, or a URDF file for its mechanics."""
    known = reference_machines()
    if str(name) in known:
        return known[str(name)]
    path = Path(name)
    if path.suffix in (".yaml", ".yml", ".urdf"):
        return path
    if str(name) in reference_rigs():
        raise InputError(f"{name} is a rig of several halves: use it with `gerotor describe`, `live` or its study")
    raise InputError(f"{unknown('machine', str(name), list(known))}; or give a .yaml or .urdf file")


def read_document(path: Path, depth: int = 0) -> dict[str, Any]:
    """The document of a machine file, with what it `extends` underneath."""
    if path.suffix == ".urdf":
        from gerotor.machines.from_urdf import urdf_document

        return urdf_document(path)
    document = read_yaml(path)
    base = document.get("extends")
    if base is None:
        return document
    if depth > 4:
        raise InputError(f"{path}: extends more than 4 files deep; is it a circle?")
    if not isinstance(base, str):
        raise InputError(f"{path}: extends = {base!r}: must be a machine's name or file")
    try:
        parent = find_machine(path.parent / base if isfile(path.parent / base) else base)
    except InputError as error:
        raise InputError(f"{path}: extends: {error}") from None
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
