import casadi as ca
import pytest

from gerotor.control.latch import latch
from gerotor.core.layout import Entry, Layout
from gerotor.errors import ParameterError


def test_follows_while_the_condition_holds_then_keeps() -> None:
    part = latch("l", period=0.01, reads=["p"], condition=["opened"], holds=Layout((Entry("pi", "Pa", start=7.0),)))
    held, seen = ca.DM([7.0]), []
    for p, opened in ((1.0, 0.0), (2.0, 1.0), (3.0, 1.0), (4.0, 0.0), (5.0, 0.0), (6.0, 1.0)):
        held, w = part.update(held, ca.DM([p, opened]), 0.0)
        seen.append(float(w))
    assert seen == [7, 2, 3, 3, 3, 6]


def test_sizes_must_fit() -> None:
    with pytest.raises(ParameterError, match="1 reads, 0 conditions, 1 holds"):
        latch("l", period=0.01, reads=["p"], condition=[], holds=Layout.of(pi="Pa"))
