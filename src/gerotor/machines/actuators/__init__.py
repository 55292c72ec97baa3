"""Actuators of machine files, one kind a file; a new kind is a function and a line here."""

from gerotor.machines.actuators.base import Actuator, Fitted, Mount, Supply
from gerotor.machines.actuators.free import free
from gerotor.machines.actuators.line_cylinder import line_cylinder
from gerotor.machines.actuators.line_motor import line_motor
from gerotor.machines.actuators.metered_cylinder import metered_cylinder
from gerotor.machines.actuators.servo_motor import servo_motor

ACTUATORS: dict[str, Actuator] = {
    "servo-motor": servo_motor, "line-cylinder": line_cylinder, "line-motor": line_motor,
    "metered-cylinder": metered_cylinder, "free": free,
}

__all__ = ["ACTUATORS", "Actuator", "Fitted", "Mount", "Supply"]
