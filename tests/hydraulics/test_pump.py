import math
from typing import Any

import pytest

from gerotor.core.evaluate import evaluate
from gerotor.hydraulics.pump import Pump

PUMP = Pump(displacement=40e-6 / (2 * math.pi), leakage=2e-12, efficiency=0.9)


def test_flow_and_torque() -> None:
    """40 cm^3/rev at 1500 rpm: 60 L/min; 210 bar leaks 2.52 L/min and asks 148.5 N m."""
    w = 1500 * 2 * math.pi / 60
    y = evaluate(PUMP, w=w, ps=210e5, pt=0.0)
    assert y["Q"] * 6e4 == pytest.approx(60 - 2.52, rel=1e-9)
    assert y["tau"] == pytest.approx(148.54, rel=1e-4)
    assert y["tau"] * w >= y["Q"] * 210e5


def test_without_losses_power_is_kept() -> None:
    y = evaluate(Pump(displacement=1e-5), w=100.0, ps=2e7, pt=1e5)
    assert y["tau"] * 100 == pytest.approx(y["Q"] * (2e7 - 1e5), rel=1e-14)


def test_units(check_units: Any) -> None:
    check_units(PUMP, w=100.0, ps=2e7, pt=1e5)
