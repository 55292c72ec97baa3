"""A machine: its file, its tree, and how it becomes a system of components."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import casadi as ca
import numpy as np

from gerotor.assembly.system import System
from gerotor.core.component import Component, Expression
from gerotor.core.ode import Ode
from gerotor.errors import GerotorError, InputError, unknown
from gerotor.hydraulics.oil import Oil
from gerotor.machines.actuators import KINDS, Fitted, Mount, Supply, actuator
from gerotor.machines.assembled import Assembled
from gerotor.machines.closed import mechanism_of
from gerotor.machines.cylinders import fit_cylinder
from gerotor.machines.electric import Drives, drives_of, electric_forces
from gerotor.machines.end_stops import end_stops
from gerotor.machines.load import find_machine, merge, read_document, validate
from gerotor.machines.schema import JointSpec, MachineFile
from gerotor.machines.section import Sections, source_of
from gerotor.machines.tree import tree_of
from gerotor.mechanics.multibody import Multibody
from gerotor.mechanics.tree import Tree
from gerotor.units import quantity

T = TypeVar("T")


@dataclass(frozen=True)
class Machine:
    """A validated machine file; `document` is the text's content, for descriptions."""

    file: MachineFile
    document: Mapping[str, Any]
    path: Path

    @property
    def name(self) -> str:
        return self.file.name

    @cached_property
    def tree(self) -> Tree:
        return self._located(lambda: tree_of(self.file))

    @cached_property
    def drives(self) -> Drives | None:
        """Electric motors behind gears, where the file has a section `drives`."""
        return self._located(lambda: drives_of(self.file.drives, self.tree))

    def varied(self, changes: Mapping[str, Any]) -> Machine:
        """The same machine with parts of its file replaced, as a file that extends it would."""
        document = merge(dict(self.document), dict(changes))
        return Machine(validate(document, self.path), document, self.path)

    def joint_positions(self, q: Mapping[str, float] | None = None) -> Any:
        """All joint positions as an array: those given, else 0 or the nearest in range."""
        out = np.array([min(max(0.0, j.lower), j.upper) for j in self.tree.moving])
        for name, value in (q or {}).items():
            if name not in self.tree.names:
                raise InputError(f"{self.name}: {unknown('joint', name, list(self.tree.names))}")
            joint = self.tree.moving[self.tree.names.index(name)]
            if not joint.lower <= value <= joint.upper:
                raise InputError(f"{self.name}.{name} = {value:.6g} {joint.unit}: allowed {joint.lower:.6g} to {joint.upper:.6g}")
            out[self.tree.names.index(name)] = value
        return out

    def assemble(self, *, positions: tuple[str, ...] = (), wrenches: tuple[str, ...] = ()) -> Assembled:
        """The machine as a system; `positions` become outputs, `wrenches` inputs of the arm."""
        return self._located(lambda: self._assemble(positions, wrenches))

    def ode(self) -> Ode:
        """The machine alone, with the positions of its own frames as outputs."""
        return self.assemble(positions=tuple(f.name for f in self.file.frames)).ode()

    def _assemble(self, positions: tuple[str, ...], wrenches: tuple[str, ...]) -> Assembled:
        system = System(self.name)
        sections = Sections({p: _tunable(system, p) for p in self.file.tunable})
        loads = tuple(p.name for p in self.file.payloads if p.variable)
        model = self.file.model
        tree = tree_of(self.file, sections.tuned) if self.file.tunable else self.tree
        body = self._mechanism(tree, positions=positions, wrenches=wrenches, loads=loads)
        arm = system.add("arm", body, last=True)
        joint_q, joint_v = (arm.z, arm.w) if self.file.loops else (arm.q, arm.v)
        for payload in self.file.payloads:
            if payload.variable:
                arm.connect(**{f"mass_{payload.name}": system.input(f"{payload.name}.mass", "kg", start=payload.mass, lower=0.0)})
        out = Assembled(self, system, arm)
        oil = sections.make(Oil, self.file.oil, "oil") if self.file.oil else None
        supply = self._supply(system, sections)
        stop = end_stops(self.file, self.tree, system, joint_q, joint_v)
        hold = arm.hold - stop if model.locks else stop
        forces: list[Expression] = []
        for k, name in enumerate(self.tree.names):
            joint = next(j for j in self.file.joints if j.name == name)
            if joint.actuator is None and self.drives is not None:
                forces.append(ca.SX(0))
                continue
            if joint.actuator is None:
                forces.append(system.input(f"{name}.tau", self.tree.moving[k].force_unit))
                continue
            mount = Mount(system, sections, name, joint.type == "revolute", joint_q[k], joint_v[k], oil, supply, model, hold[k])
            out.actuators[name] = self._fit(joint, mount)
            forces.append(out.actuators[name].force)
        forces_of_drives = electric_forces(
            self.drives, self.file.frictions, self.file.springs, tree=self.tree, system=system, sections=sections,
            q=joint_q, v=joint_v,
        )
        for spec in self.file.cylinders:
            mount = Mount(system, sections, spec.name, False, joint_q, joint_v, oil, supply, model, ca.SX(0))
            out.cylinders[spec.name] = fit_cylinder(self.file, tree, spec, mount)
        rods = sum((fitted.force for fitted in out.cylinders.values()), ca.SX.zeros(self.tree.size))
        arm.connect(tau=ca.vertcat(*forces) + stop + forces_of_drives + rods)
        if model.locks:
            fitted = [out.actuators.get(n) for n in self.tree.names]
            arm.connect(
                locked=ca.vertcat(*[f.locked if f else 0 for f in fitted]),
                r=ca.vertcat(*[system.input(f"{n}.r", "rad/s") for n in self.tree.names]),
            )
        self._check_tunables(sections)
        return out

    def _mechanism(self, tree: Tree, **options: Any) -> Component:
        body = mechanism_of(self.file, tree, self.tree, **options)
        if self.drives is None:
            return body
        if type(body) is not Multibody:
            raise InputError("drives: electric drives need an open tree without locking joints")
        return replace(body, rotors=self.drives.rotors)

    def _fit(self, spec: JointSpec, mount: Mount) -> Fitted:
        path, section = f"{spec.name}.actuator", spec.actuator or {}
        kind = section.get("kind")
        if not isinstance(kind, str) or kind not in KINDS:
            raise InputError(f"{path}.kind: {unknown('actuator', str(kind), list(KINDS))}")
        return actuator(kind)(section, mount, path)

    def _supply(self, system: System, sections: Sections) -> Supply | None:
        section = self.file.supply
        if section is None:
            return None
        source_of(section, "supply")
        for key in section:
            if key not in ("pressure", "tank", "source", "variable"):
                raise InputError(f"supply.{key}: {unknown('key', str(key), ['pressure', 'tank', 'variable'])}")
        if "pressure" not in section:
            raise InputError("supply.pressure is missing: the pump's pressure")
        nominal = quantity(section["pressure"], "Pa", "supply.pressure")
        pressure = sections.value(section["pressure"], "Pa", "supply.pressure", {"above": 0, "most": 1e9})
        if section.get("variable", False) is True:
            pressure = system.input("supply.pressure", "Pa", start=nominal, lower=0.0)
        tank = sections.value(section.get("tank", "0 Pa"), "Pa", "supply.tank", {"least": 0, "most": 1e9})
        return Supply(pressure, tank, nominal)

    def _check_tunables(self, sections: Sections) -> None:
        for path in self.file.tunable:
            if path not in sections.used:
                raise InputError(f"tunable {path!r} names no parameter (such as j1.actuator.friction.coulomb or j1.link.mass)")

    def _located(self, make: Callable[[], T]) -> T:
        """Errors of the machine's content, with the file in front."""
        try:
            return make()
        except GerotorError as error:
            raise type(error)(f"{self.path}: {error}") if str(self.path) not in str(error) else error from None


def _tunable(system: System, path: str) -> Any:
    return lambda unit, value: system.tunable(path, unit, value)


def load_machine(name: str | Path) -> Machine:
    """A reference machine by name, or a user's own by file."""
    path = find_machine(name)
    document = read_document(path)
    return Machine(validate(document, path), document, path)


def position_quantities(machine: Machine, values: Mapping[str, Any], path: str) -> dict[str, float]:
    """Joint positions written as quantities: {j1: 10 deg, j2: 20 mm}."""
    tree = machine.tree
    for name in values:
        if name not in tree.names:
            raise InputError(f"{path}: {unknown('joint', str(name), list(tree.names))}")
    return {n: quantity(v, tree.moving[tree.names.index(n)].unit, f"{path}.{n}") for n, v in values.items()}
