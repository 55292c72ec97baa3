"""Quantities with units as pydantic types: a field of type `Metres` reads "5 mm" and gives 0.005."""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import BeforeValidator

from gerotor.errors import InputError
from gerotor.units import quantity


def unit(name: str, most: float = math.inf) -> BeforeValidator:
    """Reads text with any unit of that dimension into a float in `name`, of at most that size."""

    def read(value: Any) -> float:
        try:
            number = quantity(value, name)
        except InputError as error:
            raise ValueError(str(error)) from None
        if abs(number) > most:
            raise ValueError(f"{value!r}: must be at most {most:g} {name}")
        return number

    return BeforeValidator(read)


Radians = Annotated[float, unit("rad")]
Metres = Annotated[float, unit("m", 1e6)]
Kilograms = Annotated[float, unit("kg", 1e9)]
Inertia = Annotated[float, unit("kg*m^2", 1e15)]
Acceleration = Annotated[float, unit("m/s^2")]
Seconds = Annotated[float, unit("s")]


def per_item(values: Any, units: list[str], path: str) -> list[float]:
    """One quantity an item, each with its own unit: gains of mixed joints, for example."""
    if not isinstance(values, list) or len(values) != len(units):
        raise InputError(f"{path}: expected a list of {len(units)} quantities ({', '.join(units)})")
    return [quantity(v, u, f"{path}[{k}]") for k, (v, u) in enumerate(zip(values, units, strict=True))]
