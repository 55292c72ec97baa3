"""A cylinder from a section: by its diameters or by its areas."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from gerotor.errors import InputError
from gerotor.hydraulics.cylinder import Cylinder
from gerotor.machines.actuators.base import Mount
from gerotor.machines.actuators.keys import expect
from gerotor.machines.section import source_of
from gerotor.units import quantity


def cylinder_of(section: Any, mount: Mount, path: str) -> Cylinder:
    """`bore` and `rod` with `stroke` and `retracted_length`, or the parameters of Cylinder."""
    if not isinstance(section, Mapping) or "bore" not in section:
        return mount.sections.make(Cylinder, section, path)
    keys = ("bore", "rod", "stroke", "retracted_length")
    expect(section, path, keys)
    source_of(section, path)
    bore, rod, stroke, length = (quantity(section[k], "m", f"{path}.{k}") for k in keys)
    if not 0 < rod < bore:
        raise InputError(f"{path}.rod = {rod:g} m: must be between 0 and the bore of {bore:g} m")
    return Cylinder(
        piston_area=math.pi / 4 * bore**2, rod_side_area=math.pi / 4 * (bore**2 - rod**2), stroke=stroke, retracted_length=length
    )
