import numpy as np
import pytest

from gerotor.core.layout import Layout
from gerotor.core.table import Table
from gerotor.errors import ParameterError

HOLDS = Layout.of(a="rad", b="m")


def test_rows_are_held_and_the_last_is_kept() -> None:
    table = Table("set-points", 0.1, [[0, 1], [2, 3], [4, 5]], HOLDS)  # type: ignore[arg-type]
    assert table.duration == pytest.approx(0.2)
    for t, row in ((-1, [0, 1]), (0, [0, 1]), (0.099, [0, 1]), (0.1, [2, 3]), (0.2, [4, 5]), (0.3, [4, 5]), (99, [4, 5])):
        assert table.at(t).tolist() == row
    assert [table.at(k * 0.1).tolist() for k in range(3)] == [[0, 1], [2, 3], [4, 5]]
    with pytest.raises(ValueError, match="read-only"):
        table.rows[0, 0] = 7


@pytest.mark.parametrize(
    ("rows", "words"),
    [([[1, 2, 3]], "3 columns"), ([1, 2], "shape"), ([[1, np.nan]], r"rows\[0, 1\] = nan"), (np.zeros((0, 2)), "at least one"),
     ([[1, 2], [3]], "array of numbers"), ([["a", "b"]], "array of numbers")],
)
def test_bad_rows_are_refused(rows: object, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        Table("set-points", 0.1, rows, HOLDS)  # type: ignore[arg-type]


@pytest.mark.parametrize("period", [0, -1, np.inf, np.nan])
def test_bad_period_is_refused(period: float) -> None:
    with pytest.raises(ParameterError, match=r"set-points\.period"):
        Table("set-points", period, np.zeros((1, 2)), HOLDS)
