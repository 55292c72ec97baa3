"""Bars of gauges: full scale, sign, digits."""

import numpy as np

from gerotor.realtime.stage import Gauge
from gerotor.viewer.panels import bars

INDEX = {"time": 0, "p": 1, "i": 2}
ROWS = np.array([[0.0, 7e6, 0.0], [0.1, 3.5e6, -0.005]])


def test_a_pressure_fills_from_the_left_to_its_top() -> None:
    text = bars((Gauge("Pressures", "Pa", ("p",), top=14e6),), ROWS, INDEX)
    assert "0 to 140 bar" in text and "margin-left:0.0%;width:25.0%" in text and ">35.0<" in text


def test_a_signed_one_goes_from_the_middle() -> None:
    text = bars((Gauge("Commands", "A", ("i",), top=0.02),), ROWS, INDEX)
    assert "&plusmn;20 mA" in text and "margin-left:37.5%;width:12.5%" in text and ">-5.00<" in text


def test_without_a_top_the_largest_of_late_counts_and_nothing_is_not_minus_nothing() -> None:
    rows = np.array([[0.0, 0.0, 0.3], [0.1, 0.0, -1e-9]])
    text = bars((Gauge("Motor", "A", ("i",), display=("A", 1.0)),), rows, INDEX)
    assert "&plusmn;0.5 A" in text and ">0.0000<" in text
