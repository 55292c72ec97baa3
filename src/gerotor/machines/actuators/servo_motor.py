"""Servo valve, two lines, hydraulic motor, reduction, friction: the joint drive of [kim2021]."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gerotor.drives.ball_screw import BallScrew
from gerotor.drives.gear import Gear
from gerotor.errors import InputError
from gerotor.hydraulics.chamber import Chamber
from gerotor.hydraulics.motor import HydraulicMotor
from gerotor.hydraulics.servo_valve import ServoValve
from gerotor.machines.actuators.base import Fitted, Mount, Supply
from gerotor.machines.actuators.friction import friction_of
from gerotor.machines.actuators.keys import expect
from gerotor.machines.actuators.leakage import leakage_of


def servo_motor(section: Mapping[str, Any], mount: Mount, path: str) -> Fitted:
    """Input `JOINT.i`, the valve's current. The reduction is a `gear` (ratio) or a `screw` (lead)."""
    expect(section, path, ("valve", "motor", "line_1", "line_2"), ("gear", "screw", "leakage", "friction"))
    if mount.oil is None or mount.supply is None:
        raise InputError(f"{path}: a servo-motor needs `oil` and `supply` in the machine file")
    make = mount.sections.make
    valve = mount.add("valve", make(ServoValve, section["valve"], f"{path}.valve"))
    motor = mount.add("motor", make(HydraulicMotor, section["motor"], f"{path}.motor"))
    gear = _reduction(section, mount, path)
    line_1, line_2 = (mount.add(n, make(Chamber, section[n], f"{path}.{n}", oil=mount.oil)) for n in ("line_1", "line_2"))
    gear.connect(v=mount.v, tau=motor.tau)
    motor.connect(p1=line_1.p, p2=line_2.p, w=gear.w)
    current = mount.current(valve.component.rated_current)
    valve.connect(i=current, p1=line_1.p, p2=line_2.p, ps=mount.supply.pressure, pt=mount.supply.tank)
    leak = leakage_of(section, mount, line_1.p, line_2.p, path)
    line_1.connect(Q=valve.Q1 - motor.Q1 - leak)
    line_2.connect(Q=valve.Q2 - motor.Q2 + leak)
    force = gear.F
    if "friction" in section:
        force = force - friction_of(section["friction"], mount, f"{path}.friction")
    per_pressure = gear.component.ratio * motor.component.efficiency * motor.component.displacement
    return Fitted(force, f"{mount.joint}.i", _holder(mount.joint, mount.supply, per_pressure))


def _reduction(section: Mapping[str, Any], mount: Mount, path: str) -> Any:
    key = "gear" if mount.rotary else "screw"
    if key not in section or ("gear" in section and "screw" in section):
        joint = "revolute joint takes a gear (ratio)" if mount.rotary else "prismatic joint takes a screw (lead)"
        raise InputError(f"{path}: a {joint}")
    return mount.add(key, mount.sections.make(Gear if mount.rotary else BallScrew, section[key], f"{path}.{key}"))


def _holder(joint: str, supply: Supply, per_pressure: Any) -> Any:
    def hold(force: float, q: float) -> Mapping[str, float]:
        """p1 + p2 = ps, p1 - p2 from the force."""
        drop, pressure = force / float(per_pressure), supply.nominal
        return {f"{joint}.line_1.p": (pressure + drop) / 2, f"{joint}.line_2.p": (pressure - drop) / 2}

    return hold
