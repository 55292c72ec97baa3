import casadi as ca
import pytest

from gerotor.control.sample_hold import sample_hold
from gerotor.core.layout import Layout
from gerotor.errors import ParameterError


def test_holds_what_it_read() -> None:
    part = sample_hold("gauge", period=0.01, reads=["p", "q"], holds=Layout.of(gauge_p="Pa", gauge_q="rad"))
    _, w = part.update(ca.DM(0, 1), ca.DM([3.0, 4.0]), 0.0)
    assert [float(x) for x in w.nonzeros()] == [3, 4]


def test_sizes_must_fit() -> None:
    with pytest.raises(ParameterError, match="2 reads, 1 holds"):
        sample_hold("gauge", period=0.01, reads=["p", "q"], holds=Layout.of(gauge_p="Pa"))
