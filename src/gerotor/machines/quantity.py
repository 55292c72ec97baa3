"""Quantities with units as pydantic types: a field of type `Metres` reads "5 mm" and gives 0.005."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator

from gerotor.errors import InputError
from gerotor.units import quantity


def unit(name: str) -> BeforeValidator:
    """Reads text with any unit of that dimension into a float in `name`."""

    def read(value: Any) -> float:
        try:
            return quantity(value, name)
        except InputError as error:
            raise ValueError(str(error)) from None

    return BeforeValidator(read)


Radians = Annotated[float, unit("rad")]
Metres = Annotated[float, unit("m")]
Kilograms = Annotated[float, unit("kg")]
Inertia = Annotated[float, unit("kg*m^2")]
Acceleration = Annotated[float, unit("m/s^2")]
Seconds = Annotated[float, unit("s")]


def per_item(values: Any, units: list[str], path: str) -> list[float]:
    """One quantity an item, each with its own unit: gains of mixed joints, for example."""
    if not isinstance(values, list) or len(values) != len(units):
        raise InputError(f"{path}: expected a list of {len(units)} quantities ({', '.join(units)})")
    return [quantity(v, u, f"{path}[{k}]") for k, (v, u) in enumerate(zip(values, units, strict=True))]
