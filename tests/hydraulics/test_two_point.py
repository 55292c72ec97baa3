import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.core.evaluate import evaluate
from gerotor.hydraulics.two_bar import TwoBar
from gerotor.hydraulics.two_point import TwoPoint

PART = TwoPoint()
VECTOR = st.lists(st.floats(-10, 10), min_size=3, max_size=3)


@given(q=st.floats(0.1, 3), w=st.floats(-3, 3))
def test_agrees_with_the_triangle(q: float, w: float) -> None:
    triangle = evaluate(TwoBar(base_distance=1.0, rod_distance=1.0, angle=math.pi, direction=-1), q=q, w=w, F=5.0)
    tip, speed = [math.cos(q), math.sin(q), 0.0], [-w * math.sin(q), w * math.cos(q), 0.0]
    y = evaluate(PART, r1=[-1.0, 0.0, 0.0], r2=tip, v2=speed, F=5.0)
    assert (y["l"], y["v"]) == pytest.approx((triangle["l"], triangle["v"]), rel=1e-9, abs=1e-9)
    assert np.cross(tip, y["f"])[2] == pytest.approx(triangle["tau"], rel=1e-9, abs=1e-9)


@given(ends=st.tuples(VECTOR, VECTOR, VECTOR, VECTOR), F=st.floats(-1e6, 1e6))
def test_power_is_kept_and_finite(check_finite: Any, ends: tuple[list[float], ...], F: float) -> None:
    r1, r2, v1, v2 = ends
    y = evaluate(PART, r1=r1, r2=r2, v1=v1, v2=v2, F=F)
    power = np.dot(y["f"], v2) - np.dot(y["f"], v1)
    assert power == pytest.approx(F * y["v"], rel=1e-9, abs=1e-8 * (1 + abs(F)))
    check_finite(PART, r1=r1, r2=r2, v1=v1, v2=v2, F=F)


def test_points_that_meet(check_finite: Any) -> None:
    check_finite(PART, r1=[1.0, 2, 3], r2=[1.0, 2, 3], v1=[1.0, 0, 0], F=1e5)
