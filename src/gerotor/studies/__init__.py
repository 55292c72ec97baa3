"""Published experiments, one a file. A file that defines STUDIES is found by itself."""

from __future__ import annotations

import importlib
import pkgutil

from gerotor.errors import InputError, unknown
from gerotor.studies.base import Study


def all_studies() -> dict[str, Study]:
    """Every study by name."""
    found = {}
    for module in pkgutil.iter_modules(__path__):
        if module.name != "base":
            for study in getattr(importlib.import_module(f"{__name__}.{module.name}"), "STUDIES", ()):
                found[study.name] = study
    return dict(sorted(found.items()))


def find_study(name: str) -> Study:
    """A study by name."""
    known = all_studies()
    if name not in known:
        raise InputError(unknown("study", name, list(known)))
    return known[name]
