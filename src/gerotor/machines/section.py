"""A component from a section of a machine file, checked against the component's own parameters."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeVar

from gerotor.core.component import Component, check_range
from gerotor.errors import InputError, unknown
from gerotor.units import quantity

C = TypeVar("C", bound=Component)
ROTARY = {"N": "N*m", "m": "rad", "m/s": "rad/s", "N/m": "N*m/rad", "N*s/m": "N*m*s/rad", "kg": "kg*m^2"}


class Sections:
    """Makes components; parameters listed as tunable become symbols of the system."""

    def __init__(self, tunable: Mapping[str, Any] | None = None) -> None:
        self.tunable = dict(tunable or {})  # path -> function (unit, value) -> symbol
        self.used: set[str] = set()

    def make(
        self, kind: type[C], section: Any, path: str, *, turning: bool = False, ignore: tuple[str, ...] = (), **fixed: Any
    ) -> C:
        """`kind` with parameters from `section`; `fixed` are given by the caller, `ignore` are keys of
        others, `turning` reads N as N*m and m as rad."""
        values = self.values(kind, section, path, turning=turning, ignore=ignore, fixed=tuple(fixed))
        return kind(**values, **fixed)

    def values(
        self, kind: type[Component], section: Any, path: str, *, turning: bool = False,
        ignore: tuple[str, ...] = (), fixed: tuple[str, ...] = (),
    ) -> dict[str, Any]:
        """The parameters of `kind` found in `section`, in SI, range-checked under their path."""
        if not isinstance(section, Mapping):
            raise InputError(f"{path}: expected a section of {kind.__name__}, got {section!r}")
        fields = {f.name: f for f in dataclasses.fields(kind) if f.name not in fixed}  # type: ignore[arg-type]
        numbers = {n: f for n, f in fields.items() if "unit" in f.metadata}
        for key in section:
            if key not in numbers and key not in ignore and key not in ("source", "kind"):
                raise InputError(f"{path}.{key}: {unknown('parameter', str(key), [*numbers, *ignore])}")
        source_of(section, path)
        out: dict[str, Any] = {}
        for name, field in numbers.items():
            if name not in section:
                if field.default is dataclasses.MISSING:
                    raise InputError(f"{path}.{name} is missing: {field.metadata['text']} in {field.metadata['unit']}")
                continue
            _check_shape(section[name], str(field.type), f"{path}.{name}")
            unit = field.metadata["unit"]
            unit = ROTARY.get(unit, unit) if turning else unit
            read = self.several if isinstance(section[name], list) else self.value
            out[name] = read(section[name], unit, f"{path}.{name}", field.metadata["bounds"])
        return out

    def several(self, raw: Any, unit: str, path: str, bounds: Mapping[str, float | None]) -> tuple[Any, ...]:
        """A list of numbers in SI."""
        if not isinstance(raw, list):
            raise InputError(f"{path} = {str(raw)[:60]!r}: expected a list of quantities in {unit}")
        return tuple(self.value(r, unit, f"{path}[{k}]", bounds) for k, r in enumerate(raw))

    def value(self, raw: Any, unit: str, path: str, bounds: Mapping[str, float | None]) -> Any:
        """A number in SI, or a tunable symbol."""
        number = quantity(raw, unit, path)
        check_range(path, number, unit, bounds)
        return self.tuned(number, unit, path)

    def tuned(self, number: float, unit: str, path: str) -> Any:
        """The number, or a symbol where the path is tunable."""
        if path not in self.tunable:
            return number
        self.used.add(path)
        return self.tunable[path](unit, number)


def _check_shape(raw: Any, kind: str, path: str) -> None:
    """A list where the component takes several numbers, one quantity elsewhere."""
    several = kind.startswith(("tuple[float", "tuple[Expression"))
    if several != isinstance(raw, list) or (kind.startswith("tuple") and not several):
        raise InputError(f"{path} = {str(raw)[:60]!r}: expected {'a list of quantities' if several else 'one quantity'}")


def source_of(section: Mapping[str, Any], path: str) -> str:
    """The source of a section's numbers; every section must say it."""
    source = section.get("source")
    if not isinstance(source, str) or len(source) < 3:
        raise InputError(f"{path}.source is missing: say where the numbers come from (a table, a data sheet, assumed: why)")
    return source
