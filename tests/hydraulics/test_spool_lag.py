from typing import Any

import pytest

from gerotor.core.evaluate import evaluate
from gerotor.hydraulics.spool_lag import SpoolLag


def test_rate_and_saturation(check_units: Any) -> None:
    lag = SpoolLag(time_constant=0.01)
    assert evaluate(lag, x=0.25, u=0.5)["d_x"] == pytest.approx(25)
    assert evaluate(lag, x=0.0, u=-7.0)["d_x"] == pytest.approx(-100)
    check_units(lag, x=0.25, u=0.5)
