"""Actuators of machine files, one kind a file; a new kind is a function and a line here."""

from importlib import import_module

from gerotor.machines.actuators.base import Actuator, Fitted, Mount, Supply

KINDS = {  # kind -> function, in the module of the same name
    "servo-motor": "servo_motor", "line-cylinder": "line_cylinder", "line-motor": "line_motor",
    "metered-cylinder": "metered_cylinder", "servo-cylinder": "servo_cylinder", "free": "free",
}
CYLINDERS = ("servo-cylinder", "metered-cylinder", "line-cylinder")  # that also act between two frames


def actuator(kind: str) -> Actuator:
    """The function that fits a kind of actuator."""
    made: Actuator = getattr(import_module(f"{__name__}.{KINDS[kind]}"), KINDS[kind])
    return made


__all__ = ["CYLINDERS", "KINDS", "Actuator", "Fitted", "Mount", "Supply", "actuator"]
