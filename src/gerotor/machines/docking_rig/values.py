"""The rig's file: every number with unit and source, checked at load."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from gerotor.errors import InputError, unknown
from gerotor.machines.load import first_errors, read_yaml
from gerotor.units import quantity

Vector = tuple[float, float, float]


class Value(BaseModel):
    """A quantity (or a list of them) and where it comes from."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    value: Any
    source: str = Field(min_length=3)

    def si(self, unit: str, path: str) -> float:
        """One number in `unit`."""
        return quantity(self.value, unit, path)

    def vector(self, units: str | list[str], path: str) -> tuple[float, ...]:
        """Numbers in `units`, one each, or three of the same."""
        wanted = units if isinstance(units, list) else [units] * 3
        if not isinstance(self.value, list) or len(self.value) != len(wanted):
            raise InputError(f"{path} = {self.value!r}: give a list of {len(wanted)} quantities in {', '.join(wanted)}")
        return tuple(quantity(v, u, f"{path}[{k}]") for k, (v, u) in enumerate(zip(self.value, wanted, strict=True)))


class DockingSet(BaseModel):
    """One set of masses, arm and contact."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    title: str
    axes: list[Literal["x", "y", "z"]] = Field(min_length=1, max_length=3)
    masses: Value
    inertias: Value
    arm_stiffness: Value
    arm_damping: Value
    contact_stiffness: Value
    contact_damping: Value
    offset: Value
    stiffening: Value | None = None


class RigFile(BaseModel):
    """The whole file."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: str
    title: str = ""
    geometry: dict[str, Value]
    platform: dict[str, Value]
    drive: dict[str, Value]
    sensor: dict[str, Value]
    arms: dict[str, Value]
    sets: dict[str, DockingSet] = Field(min_length=1)

    def set(self, name: str) -> DockingSet:
        """A set by name."""
        if name not in self.sets:
            raise InputError(unknown("parameter set", name, list(self.sets)))
        return self.sets[name]


    def arm(self, name: str) -> list[tuple[float, ...]]:
        """Tip, base and rest vector of the arm of a set, m."""
        key = "six_axes" if len(self.set(name).axes) == 3 else "one_axis"
        value = self.arms[key].value
        if not isinstance(value, list) or len(value) != 3:
            raise InputError(f"arms.{key} = {value!r}: give three points: tip, base, rest")
        return [Value(value=p, source="arm").vector("m", f"arms.{key}[{k}]") for k, p in enumerate(value)]

    @model_validator(mode="after")
    def _complete(self) -> RigFile:
        for section, wanted in _WANTED.items():
            have = set(getattr(self, section))
            if have != set(wanted.split()):
                missing, extra = sorted(set(wanted.split()) - have), sorted(have - set(wanted.split()))
                raise ValueError(f"{section}: missing {', '.join(missing) or 'nothing'}; unknown {', '.join(extra) or 'nothing'}")
        return self


_WANTED = {
    "geometry": "contact_point control_point anchor origin",
    "platform": "base_radius base_angle platform_radius platform_angle leg_shortest leg_longest home_height platform_mass "
                "centre inertia cylinder_mass "
                "cylinder_centre cylinder_inertia rod_mass rod_centre rod_inertia gravity",
    "drive": "lead resistance inductance torque_constant rotor_inertia rotor_damping position_gain velocity_gain "
             "velocity_integral current_gain current_integral",
    "sensor": "lag lead_ratio force_noise moment_noise",
    "arms": "one_axis six_axes",
}


def load_rig(path: str | Path | None = None) -> RigFile:
    """The reference rig, or a file of the same form."""
    return _reference() if path is None else parse_rig(read_yaml(Path(path)), path)


def parse_rig(document: dict[str, Any], where: str | Path) -> RigFile:
    """A rig from the content of a file; `where` names it in messages."""
    try:
        return RigFile.model_validate(document)
    except ValidationError as error:
        raise first_errors(where, error) from None
    except RecursionError:
        raise InputError(f"{where}: nested too deeply") from None


@lru_cache(maxsize=1)
def _reference() -> RigFile:
    return load_rig(Path(str(resources.files("gerotor.machines.docking_rig"))) / "data" / "docking_rig.yaml")
