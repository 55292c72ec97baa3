"""SI inside; pint only at the edge: "140 bar", "55 L/min", "80 cm^3/rev".

Hertz counts cycles: where rad/s is asked for, "80 Hz" is 2 pi 80 rad/s.

Loading pint takes longer than reading a machine file. Factors it has found once are therefore kept
in the user's cache folder; what is not a plain number with a plain unit always goes through pint.
"""

from __future__ import annotations

import atexit
import json
import math
import os
import re
import tempfile
from functools import lru_cache
from typing import Any

from gerotor.cache import cache_folder
from gerotor.errors import InputError

# a power whose exponent is not one digit with decimals: 9^9^9 would keep the machine busy for ever
_WILD_POWER = re.compile(r"(?:\^|\*\*)(?!\s*\(?[+-]?\d(?:\.\d+)?\)?(?!\s*[\d.^]|\s*\*\*))")
SMALLEST, LARGEST = 1e-30, 1e30  # of a quantity in SI: products of a few stay finite
_PLAIN = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s+([A-Za-z][A-Za-z0-9^*/. ]*?)\s*")


@lru_cache(maxsize=1)
def _factors() -> dict[str, float]:
    """"from|to" -> factor, as found by pint before; what is new is written back at the end of the process."""
    file = cache_folder() / "units.json"
    try:
        known = {str(k): float(v) for k, v in json.loads(file.read_text()).items()}
    except (OSError, ValueError, AttributeError, TypeError):
        known = {}
    before = len(known)

    def keep() -> None:
        if len(known) == before:
            return
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False) as new:
                json.dump(known, new)
            os.replace(new.name, file)
        except OSError:
            return

    atexit.register(keep)
    return known


def _value(text: str, unit: str) -> float:
    """A plain number and unit by a known factor, all else by pint."""
    plain = _PLAIN.fullmatch(text)
    if plain is None:
        return _convert(text, unit)
    number, key = float(plain[1]), f"{plain[2]}|{unit}"
    factors = _factors()
    if key not in factors:
        whole = _convert(text, unit)
        if _convert(f"0 {plain[2]}", unit) != 0:
            return whole
        factors[key] = _convert(f"1 {plain[2]}", unit)
    return number * factors[key]


@lru_cache(maxsize=1)
def registry() -> Any:
    """The pint registry, loaded on first use (it is slow to import). Without pint's own cache on disk, which two
    processes at once can read half written."""
    import pint

    made = pint.UnitRegistry(autoconvert_offset_to_baseunit=True)
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
        if _WILD_POWER.search(text) or not re.search(r"\d|nan|inf", text):
            raise InputError(f"{where}{text[:40]!r} is not a quantity: write a number and a unit of {unit}")
        if len(text) > 200:
            raise InputError(f"{where}{text[:40]!r}...: too long for a quantity in {unit}")
        try:
            number = _value(text, unit)
        except InputError as error:
            raise InputError(f"{where}{error}") from None
    if not math.isfinite(number):
        raise InputError(f"{where}{text!r} is not finite: expected a quantity in {unit}")
    if number and not SMALLEST <= abs(number) <= LARGEST:
        raise InputError(f"{where}{text!r}: must be 0 or from {SMALLEST:g} to {LARGEST:g} {unit}, of either sign")
    return number
