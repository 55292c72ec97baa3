"""SI inside; pint only at the edge: "140 bar", "55 L/min", "80 cm^3/rev".

Hertz counts cycles: where rad/s is asked for, "80 Hz" is 2 pi 80 rad/s.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Any

from gerotor.errors import InputError

# a power whose exponent is not one digit with decimals: 9^9^9 would keep the machine busy for ever
_WILD_POWER = re.compile(r"(?:\^|\*\*)(?!\s*\(?[+-]?\d(?:\.\d+)?\)?(?!\s*[\d.^]|\s*\*\*))")


@lru_cache(maxsize=1)
def registry() -> Any:
    """The pint registry, loaded on first use (it is slow to import)."""
    import pint

    made = pint.UnitRegistry(cache_folder=":auto:", autoconvert_offset_to_baseunit=True)
    made.define("rev = turn")
    return made


@lru_cache(maxsize=4096)
def _convert(text: str, unit: str) -> float:
    import pint

    ureg = registry()
    try:
        value = ureg.Quantity(text)
    except (pint.errors.PintError, ValueError, SyntaxError, TypeError, AssertionError, AttributeError,
            ZeroDivisionError, OverflowError, RecursionError, KeyError, IndexError) as error:
        raise InputError(f"{text!r} is not a quantity: write a number and a unit of {unit}") from error
    except Exception as error:  # tokenizer errors of odd input have no common base
        raise InputError(f"{text!r} is not a quantity: write a number and a unit of {unit}") from error
    try:
        cycles = 2 * math.pi if unit == "rad/s" and "hertz" in str(value.units) else 1.0
        return cycles * float(value.to(unit).magnitude)
    except (pint.errors.DimensionalityError, pint.errors.OffsetUnitCalculusError) as error:
        raise InputError(f"{text!r} has the wrong dimension: expected {unit}") from error
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise InputError(f"{text!r} is not a quantity of {unit}") from error


def quantity(text: str | float, unit: str, path: str = "") -> float:
    """The value of `text` in `unit`; a bare number is taken only where the unit is 1."""
    where = f"{path} = " if path else ""
    if isinstance(text, bool) or not isinstance(text, str | int | float):
        raise InputError(f"{where}{text!r}: expected a quantity in {unit}")
    if isinstance(text, int | float):
        try:
            number = float(text)
        except OverflowError:
            number = math.inf
        if unit != "1" and number != 0.0:
            raise InputError(f"{where}{text!r} has no unit: write it with a unit of {unit}")
    else:
        if _WILD_POWER.search(text):
            raise InputError(f"{where}{text[:40]!r} is not a quantity: write a number and a unit of {unit}")
        if len(text) > 200:
            raise InputError(f"{where}{text[:40]!r}...: too long for a quantity in {unit}")
        try:
            number = _convert(text, unit)
        except InputError as error:
            raise InputError(f"{where}{error}") from None
    if not math.isfinite(number):
        raise InputError(f"{where}{text!r} is not finite: expected a quantity in {unit}")
    return number
