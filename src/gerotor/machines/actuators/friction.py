"""Friction of a joint by its model's name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gerotor.core.component import Component, Expression
from gerotor.errors import InputError, unknown
from gerotor.machines.actuators.base import Mount
from gerotor.mechanics.brown_mcphee import BrownMcPhee
from gerotor.mechanics.coulomb_viscous import CoulombViscous
from gerotor.mechanics.lugre import LuGre

MODELS: dict[str, type[Component]] = {"lugre": LuGre, "brown-mcphee": BrownMcPhee, "coulomb-viscous": CoulombViscous}


def friction_model(section: Any, path: str) -> type[Component]:
    """The component that a section's `model` names."""
    model = section.get("model") if isinstance(section, Mapping) else None
    if not isinstance(model, str) or model not in MODELS:
        raise InputError(f"{path}.model: {unknown('friction model', str(model), list(MODELS))}")
    return MODELS[model]


def friction_of(section: Any, mount: Mount, path: str) -> Expression:
    """The friction force of `mount`'s joint, to be subtracted."""
    kind = friction_model(section, path)
    component = mount.sections.make(kind, section, path, turning=mount.rotary, ignore=("model",), rotary=mount.rotary)
    return mount.add("friction", component).connect(v=mount.v).F


def seal_friction(section: Mapping[str, Any], mount: Mount, speed: Expression, path: str) -> Expression:
    """The force of a cylinder's seals along the rod, 0 without a section `friction`."""
    if "friction" not in section:
        return 0
    kind = friction_model(section["friction"], f"{path}.friction")
    made = mount.sections.make(kind, section["friction"], f"{path}.friction", ignore=("model",), rotary=False)
    return mount.add("friction", made).connect(v=speed).F
