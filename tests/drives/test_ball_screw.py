from typing import Any

import pytest

from gerotor.core.evaluate import evaluate
from gerotor.drives.ball_screw import BallScrew

SCREW = BallScrew(lead=0.005)


def test_worked_numbers() -> None:
    """5 mm a turn: 1256.64 rad/m; 45 N m is 56.5 kN; 1.5e-3 kg m^2 is some 2400 kg."""
    assert SCREW.ratio == pytest.approx(1256.64, rel=1e-5)
    assert evaluate(SCREW, tau=45.0)["F"] == pytest.approx(56.5e3, rel=1e-3)
    assert SCREW.reflected(1.5e-3) == pytest.approx(2400, rel=0.02)


def test_power_is_kept_in_any_units(check_units: Any) -> None:
    y = evaluate(SCREW, v=0.03, tau=12.0)
    assert y["F"] * 0.03 == pytest.approx(12.0 * y["w"], rel=1e-14)
    check_units(SCREW, v=0.03, tau=12.0)
