"""Packages whose names are imported when first used: who wants one valve does not wait for thirty components.

The names and their modules stand in the package's stub, `__init__.pyi`, in lines such as
`from gerotor.hydraulics.chamber import Chamber as Chamber`; editors and type checkers read the same.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from pkgutil import get_data
from typing import Any

_LINE = re.compile(r"^from (\S+) import (\w+) as \2$", re.M)


def lazy(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package."""
    homes = {name: module for module, name in _LINE.findall((get_data(package, "__init__.pyi") or b"").decode())}

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(homes[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    names = sorted(homes)
    return find, lambda: sorted({*vars(sys.modules[package]), *names}), names
