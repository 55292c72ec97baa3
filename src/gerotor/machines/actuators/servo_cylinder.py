"""Servo valve and cylinder on the common supply: across a revolute joint, along a prismatic one, or between two frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gerotor.core.evaluate import evaluate
from gerotor.errors import InputError
from gerotor.hydraulics.first_order_servo_valve import FirstOrderServoValve
from gerotor.hydraulics.servo_valve import ServoValve
from gerotor.hydraulics.variable_chamber import VariableChamber
from gerotor.machines.actuators.base import Fitted, Mount
from gerotor.machines.actuators.cylinder import cylinder_of
from gerotor.machines.actuators.friction import seal_friction
from gerotor.machines.actuators.keys import expect
from gerotor.machines.actuators.leakage import leakage_of


def servo_cylinder(section: Mapping[str, Any], mount: Mount, path: str) -> Fitted:
    """Input `JOINT.i`, the valve's current; positive drives the rod out.

    A revolute joint needs the `geometry` of its two-bar. Along a prismatic joint the rod is in at q = 0 and
    comes out with q. The spool is of first order with a `time_constant`, else of second order.
    """
    linked = mount.rotary and not mount.rod
    expect(section, path, ("valve", "cylinder", "side_1", "side_2", *(("geometry",) if linked else ())), ("friction", "leakage"))
    if mount.oil is None or mount.supply is None:
        raise InputError(f"{path}: a servo-cylinder needs `oil` and `supply` in the machine file")
    make, supply = mount.sections.make, mount.supply
    first_order = isinstance(section["valve"], Mapping) and "time_constant" in section["valve"]
    valve = mount.add("valve", make(FirstOrderServoValve if first_order else ServoValve, section["valve"], f"{path}.valve"))
    cylinder = mount.add("cylinder", cylinder_of(section["cylinder"], mount, f"{path}.cylinder"))
    sides = [mount.add(n, make(VariableChamber, section[n], f"{path}.{n}", oil=mount.oil)) for n in ("side_1", "side_2")]
    geometry = mount.add("geometry", mount.triangle(section, "geometry", path)) if linked or mount.rod else None
    length = geometry.l if geometry else cylinder.component.retracted_length + mount.q
    speed = geometry.v if geometry else mount.v
    cylinder.connect(p1=sides[0].p, p2=sides[1].p, l=length, v=speed)
    current = mount.current(valve.component.rated_current)
    valve.connect(i=current, p1=sides[0].p, p2=sides[1].p, ps=supply.pressure, pt=supply.tank)
    leak = leakage_of(section, mount, sides[0].p, sides[1].p, path)
    sides[0].connect(Q=valve.Q1 - cylinder.Q1 - leak, V=cylinder.V1)
    sides[1].connect(Q=valve.Q2 - cylinder.Q2 + leak, V=cylinder.V2)
    force = cylinder.F - seal_friction(section, mount, speed, path)
    if geometry:
        geometry.connect(q=mount.q, w=mount.v, F=force)

    def hold(wanted: float, q: float) -> Mapping[str, float]:
        """p1 + p2 = ps, A1 p1 - A2 p2 from the force."""
        lever = float(evaluate(geometry.component, q=q)["J"]) if geometry and linked else 1.0
        areas, ps = cylinder.component, supply.nominal
        p1 = (wanted / lever + float(areas.rod_side_area) * ps) / (float(areas.piston_area) + float(areas.rod_side_area))
        return {f"{mount.joint}.side_1.p": p1, f"{mount.joint}.side_2.p": ps - p1}

    return Fitted(geometry.tau if geometry else force, f"{mount.joint}.i", hold)
