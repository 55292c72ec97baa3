import pytest

from gerotor.core.evaluate import evaluate
from gerotor.drives.ideal_current import IdealCurrent


@pytest.mark.parametrize(("r", "i"), [(3.0, 3.0), (-3.0, -3.0), (50.0, 12.0), (-1e12, -12.0)])
def test_follows_within_its_limit(r: float, i: float) -> None:
    assert evaluate(IdealCurrent(max_current=12.0), r=r)["i"] == i
