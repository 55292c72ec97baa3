import math
from dataclasses import dataclass

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.core.component import Component, check_range, param, signals
from gerotor.errors import ParameterError

pytestmark = pytest.mark.vm


@dataclass(frozen=True, kw_only=True)
class Tank(Component):
    area: float = param("m^2", "A, of the bottom", above=0)
    share: float = param("1", "how full", least=0, most=1, default=0.5)
    levels: tuple[float, ...] = param("m", "marks", below=10, default=())
    states = signals(h="m")


def test_message_has_path_value_unit_and_rule() -> None:
    with pytest.raises(ParameterError) as caught:
        Tank(area=-1.0)
    assert str(caught.value) == "Tank.area = -1 m^2: must be above 0"


@pytest.mark.parametrize(
    ("values", "words"),
    [({"area": 0.0}, "must be above 0"), ({"area": 1.0, "share": 1.01}, r"Tank\.share = 1\.01: must be at most 1"),
     ({"area": 1.0, "share": -0.1}, "must be at least 0"), ({"area": 1.0, "levels": (1.0, 10.0)},
      r"levels\[1\] = 10 m: must be below 10"),
     ({"area": math.nan}, "must be a finite number"), ({"area": math.inf}, "must be a finite number")],
)
def test_ranges(values: dict[str, float], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        Tank(**values)  # type: ignore[arg-type]


def test_text_is_no_number() -> None:
    with pytest.raises(ParameterError, match=r"Tank\.area = '3 m2': must be a number in m\^2"):
        Tank(area="3 m2")  # type: ignore[arg-type]


def test_numbers_of_numpy_are_checked_too() -> None:
    for number in (np.int64(-1), np.float32(-1), np.float64(-1)):
        with pytest.raises(ParameterError, match="must be above 0"):
            check_range("part.volume", number, "m^3", {"above": 0})


def test_symbols_pass() -> None:
    assert Tank(area=ca.SX.sym("A")).area.is_symbolic()


@given(st.floats(), st.floats(-10, 10), st.floats(-10, 10))
def test_check_accepts_exactly_what_lies_inside(value: float, lower: float, upper: float) -> None:
    inside = math.isfinite(value) and lower <= value < upper
    try:
        check_range("v", value, "1", {"least": lower, "below": upper})
    except ParameterError:
        assert not inside
    else:
        assert inside
