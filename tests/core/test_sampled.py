import math

import pytest

from gerotor.core.layout import Layout
from gerotor.core.sampled import Sampled
from gerotor.errors import ParameterError

pytestmark = pytest.mark.vm


@pytest.mark.parametrize("period", [0.0, -0.1, math.nan, math.inf])
def test_period_must_be_positive(period: float) -> None:
    with pytest.raises(ParameterError, match=r"pid\.period = "):
        Sampled("pid", period, (), Layout.of(i="A"), lambda d, r, t: (d, r))
