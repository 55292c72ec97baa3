from typing import Any

import pytest

from gerotor.core.evaluate import evaluate
from gerotor.drives.electric_motor import ElectricMotor

MOTOR = ElectricMotor(constant=0.5)


def test_torque_and_power(check_units: Any) -> None:
    """0.5 N m/A at 12 A: 6 N m; tau w = e i."""
    y = evaluate(MOTOR, i=12.0, w=450.0)
    assert y["tau"] == pytest.approx(6)
    assert y["tau"] * 450 == pytest.approx(y["e"] * 12)
    check_units(MOTOR, i=12.0, w=450.0)
