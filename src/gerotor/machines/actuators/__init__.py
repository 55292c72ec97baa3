"""Actuators of machine files, one kind a file; a new kind is a function and a line here."""

from gerotor.machines.actuators.base import Actuator, Fitted, Mount, Supply
from gerotor.machines.actuators.servo_motor import servo_motor

ACTUATORS: dict[str, Actuator] = {"servo-motor": servo_motor}

__all__ = ["ACTUATORS", "Actuator", "Fitted", "Mount", "Supply"]
