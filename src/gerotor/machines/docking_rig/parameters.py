"""What differs between sets, as tunable parameters: one compiled kernel serves all of them."""

from __future__ import annotations

import casadi as ca

from gerotor.assembly.system import System
from gerotor.core.component import Expression
from gerotor.core.layout import Entry, Layout
from gerotor.machines.docking_rig.values import RigFile

AXES = ("x", "y", "z")
BODIES = ("station", "effector", "craft")
SETTINGS = Layout((
    Entry("compensate", start=1.0), Entry("noise.force", "N"), Entry("noise.moment", "N m"),
    Entry("axes.x", start=1.0), Entry("axes.y", start=1.0), Entry("axes.z", start=1.0), Entry("axes.moment", start=1.0),
    Entry("dither", "m"), Entry("fresh", start=1.0),
    Entry("thrust.x", "N"), Entry("thrust.y", "N"), Entry("thrust.z", "N"),
    Entry("attitude.stiffness", "N m/rad", lower=0.0), Entry("attitude.damping", "N m s/rad", lower=0.0),
))
PILOT = ("thrust.x", "thrust.y", "thrust.z", "attitude.stiffness", "attitude.damping")
_DYNAMICS = {
    "mass": ("kg", 3), "inertia": ("kg m^2", 3), "arm_stiffness": ("N/m", 2), "arm_damping": ("N s/m", 2),
    "tip": ("m", 3), "base": ("m", 3), "rest": ("m", 3), "drag": ("m/s", 3),
}
_CONTACT = {"stiffness": ("N/m", 3), "damping": ("N s/m", 3), "stiffening": ("1/m", 1), "variation": ("1", 1), "period": ("s", 1)}


def declare(system: System, group: str) -> dict[str, Expression]:
    """Tunables of "dynamics" or "contact" as columns by name."""
    table = _DYNAMICS if group == "dynamics" else _CONTACT
    return {
        name: ca.vertcat(*[system.tunable(f"{group}.{name}.{k}", unit, 1.0) for k in range(size)])
        for name, (unit, size) in table.items()
    }


def names(group: str) -> list[str]:
    """Paths of the tunables of a group, in order of declaration."""
    table = _DYNAMICS if group == "dynamics" else _CONTACT
    return [f"{group}.{name}.{k}" for name, (_, size) in table.items() for k in range(size)]


def values(
    rig: RigFile, name: str, *, variation: float = 0.0, period: float = 4.0, stiffening: bool = False,
    drag: tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> dict[str, float]:
    """All tunables of the dynamics and the contact for one set.

    `variation` adds a triangle of that height, in parts of the nominal value, to contact stiffness and damping; `drag` is the
    velocity of the rope's anchor.
    """
    chosen, at = rig.set(name), f"sets.{name}"
    points = rig.arm(name)
    hardening = chosen.stiffening.si("1/m", f"{at}.stiffening") if stiffening and chosen.stiffening else 0.0
    groups: dict[str, dict[str, tuple[float, ...]]] = {
        "dynamics": {
            "mass": chosen.masses.vector("kg", f"{at}.masses"), "inertia": chosen.inertias.vector("kg m^2", f"{at}.inertias"),
            "arm_stiffness": chosen.arm_stiffness.vector(["N/m", "N m/rad"], f"{at}.arm_stiffness"),
            "arm_damping": chosen.arm_damping.vector(["N s/m", "N m s/rad"], f"{at}.arm_damping"),
            "tip": points[0], "base": points[1], "rest": points[2], "drag": drag,
        },
        "contact": {
            "stiffness": chosen.contact_stiffness.vector("N/m", f"{at}.contact_stiffness"),
            "damping": chosen.contact_damping.vector("N s/m", f"{at}.contact_damping"),
            "stiffening": (hardening,), "variation": (variation,), "period": (period,),
        },
    }
    return {f"{g}.{n}.{k}": v for g, table in groups.items() for n, row in table.items() for k, v in enumerate(row)}
