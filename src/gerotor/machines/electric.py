"""Electric drives of a machine file: motors behind gears that may be coupled, friction elements, springs.

    drives:
      motors:
        - {joint: j1, ratio: 110, constant: 0.5 N*m/A, rotor_inertia: 3e-4 kg*m^2, max_current: 12 A}
      couplings:
        - {motor: j6, joint: j5, ratio: 45}       motor of j6 also turns with j5
      source: ...
    frictions:
      - {name: wrist, joints: {j5: 1, j6: 1}, model: lugre, ..., source: ...}
    springs:
      - {name: spring, joint: j2, fixed_anchor: 0.25 m, ..., source: ...}

A motor's current is the input `JOINT.i`. A friction element acts on a sum of joint velocities, w = sum
c_j v_j, and on each joint with c_j times its force.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike, NDArray

from gerotor.assembly.system import System
from gerotor.core.component import Expression
from gerotor.drives.gear_matrix import GearMatrix
from gerotor.errors import InputError, unknown
from gerotor.machines.actuators.friction import friction_model
from gerotor.machines.actuators.keys import expect
from gerotor.machines.section import Sections, source_of
from gerotor.mechanics.compensation_spring import CompensationSpring
from gerotor.mechanics.tree import Tree
from gerotor.units import quantity

_MOTOR = {"ratio": "1", "constant": "N*m/A", "rotor_inertia": "kg*m^2", "max_current": "A"}


@dataclass(frozen=True)
class Drives:
    """The motors of all moving joints, in their order."""

    ratio: tuple[float, ...]
    constant: tuple[float, ...]
    rotor_inertia: tuple[float, ...]
    max_current: tuple[float, ...]
    couplings: tuple[tuple[int, int, float], ...]

    @property
    def gears(self) -> GearMatrix:
        return GearMatrix(ratios=self.ratio, couplings=self.couplings)

    @cached_property
    def coordinates(self) -> NDArray[np.float64]:
        """Motor angles over their ratios, from joint angles."""
        return np.asarray(np.array(ca.DM(self.gears.matrix)) / np.array(self.ratio)[:, None])

    def motor_loads(self, load: ArrayLike) -> NDArray[np.float64]:
        """Joint torques as the motors carry them, behind their gears, N m."""
        return np.asarray(np.linalg.solve(self.coordinates.T, np.asarray(load, dtype=float)))

    @property
    def force(self) -> NDArray[np.float64]:
        """Torque behind the gear a unit of current, N m/A."""
        return np.asarray(np.array(self.ratio) * np.array(self.constant))

    @property
    def rotors(self) -> Any:
        """Inertia of the rotors at the joints, kg m^2."""
        return self.gears.reflected(self.rotor_inertia)


def drives_of(section: Mapping[str, Any] | None, tree: Tree) -> Drives | None:
    """The section `drives` as numbers; None where a machine has none."""
    if section is None:
        return None
    expect(section, "drives", ("motors",), ("couplings",))
    source_of(section, "drives")
    listed = section["motors"] if isinstance(section["motors"], list) else []
    motors = {str(m.get("joint")): m for m in listed if isinstance(m, Mapping)}
    for name in (*motors, *tree.names):
        if name not in tree.names or name not in motors:
            raise InputError(f"drives.motors: one for each of {', '.join(tree.names)}, not {name!r} alone")
    for joint in tree.moving:
        if joint.kind != "revolute":
            raise InputError(f"drives: {joint.name} is {joint.kind}, these motors turn revolute joints")
    values: dict[str, list[float]] = {k: [] for k in _MOTOR}
    for name in tree.names:
        expect(motors[name], f"drives.motors.{name}", ("joint", *_MOTOR))
        for key, unit in _MOTOR.items():
            number = quantity(motors[name][key], unit, f"drives.motors.{name}.{key}")
            if not number > 0:
                raise InputError(f"drives.motors.{name}.{key} = {number:g} {unit}: must be above 0")
            values[key].append(number)
    couplings = []
    for k, item in enumerate(section.get("couplings", [])):
        expect(item, f"drives.couplings[{k}]", ("motor", "joint", "ratio"))
        couplings.append((_joint(tree, item["motor"], f"drives.couplings[{k}].motor"),
                          _joint(tree, item["joint"], f"drives.couplings[{k}].joint"), quantity(item["ratio"], "1")))
    return Drives(**{k: tuple(v) for k, v in values.items()}, couplings=tuple(couplings))


def electric_forces(
    drives: Drives | None, frictions: Sequence[Mapping[str, Any]], springs: Sequence[Mapping[str, Any]], *,
    tree: Tree, system: System, sections: Sections, q: Expression, v: Expression,
) -> Expression:
    """Add the parts; their forces on the joints, zeros where there are none."""
    force = ca.SX.zeros(tree.size)
    if drives is not None:
        currents = [system.input(f"{name}.i", "A") for name in tree.names]
        torques = [c * i for c, i in zip(drives.constant, currents, strict=True)]
        force += system.add("drives", drives.gears).connect(v=v, tau=ca.vertcat(*torques)).F
    for k, section in enumerate(springs):
        path = f"springs.{section.get('name', k)}"
        where = _joint(tree, section.get("joint"), f"{path}.joint")
        spring = sections.make(CompensationSpring, section, path, ignore=("name", "joint"))
        force[where] += system.add(str(section.get("name", f"spring{k}")), spring).connect(q=q[where]).tau
    for k, section in enumerate(frictions):
        path = f"frictions.{section.get('name', k)}"
        kind = friction_model(section, path)
        share = section.get("joints")
        if not isinstance(share, Mapping) or not share:
            raise InputError(f"{path}.joints: expected the joints and their shares, such as {{j5: 1, j6: 1}}")
        shares = {_joint(tree, j, f"{path}.joints"): quantity(c, "1", f"{path}.joints.{j}") for j, c in share.items()}
        rotary = tree.moving[next(iter(shares))].kind == "revolute"
        element = sections.make(kind, section, path, turning=rotary, ignore=("name", "joints", "model"),
                                rotary=rotary)
        part = system.add(str(section.get("name", f"friction{k}")), element)
        part.connect(v=sum(c * v[j] for j, c in shares.items()))
        for j, c in shares.items():
            force[j] -= c * part.F
    return force


def _joint(tree: Tree, name: Any, path: str) -> int:
    if name not in tree.names:
        raise InputError(f"{path}: {unknown('joint', str(name), list(tree.names))}")
    return tree.names.index(str(name))
