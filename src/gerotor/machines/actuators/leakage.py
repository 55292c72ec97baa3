"""Leakage between the two sides of a drive, by the parameter its section has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gerotor.core.component import Expression
from gerotor.hydraulics.leakage import LaminarLeakage, TurbulentLeakage
from gerotor.machines.actuators.base import Mount


def leakage_of(section: Mapping[str, Any], mount: Mount, p1: Expression, p2: Expression, path: str) -> Expression:
    """Flow from side 1 to side 2: turbulent with a `gain`, laminar with a `conductance`, 0 without a section `leakage`."""
    if "leakage" not in section:
        return 0
    turbulent = isinstance(section["leakage"], Mapping) and "gain" in section["leakage"]
    kind = TurbulentLeakage if turbulent else LaminarLeakage
    leakage = mount.add("leakage", mount.sections.make(kind, section["leakage"], f"{path}.leakage"))
    return leakage.connect(p1=p1, p2=p2).Q
