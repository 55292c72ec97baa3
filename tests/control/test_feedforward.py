import math

import pytest

from gerotor.control.feedforward import feedforward
from gerotor.errors import ParameterError

PART = {"period": 0.01, "base": ("c1", "c2"), "signal": ("v1", "v2"), "command": ("u1", "u2"), "unit": "mA"}


def test_adds_and_limits(runner) -> None:
    step = runner(feedforward("f", **PART, gain=(2.0, 10.0), limit=20.0))
    assert step([1, 5], [3, 4]).tolist() == [7, 20]
    assert step([1, 5], [math.nan, -9]).tolist() == [1, -20]
    assert step([math.inf, 5], [3, 0]).tolist() == [6, 5]


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(ParameterError, match="gain"):
        feedforward("f", **PART, gain=(1.0, 2.0, 3.0))
    with pytest.raises(ParameterError, match="as many"):
        feedforward("f", **{**PART, "signal": ("v1",)}, gain=1.0)
