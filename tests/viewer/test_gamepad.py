from typing import Any

import pytest

from gerotor.viewer.gamepad import axes


@pytest.mark.parametrize("text", [None, "", "null", "{}", "7", '"x"', "[[1]]", '["a"]', "[null]", "{", 5, "[1e999"])
def test_anything_but_numbers_is_nothing(text: Any) -> None:
    assert axes(text) == []


def test_axes_are_kept_within_range() -> None:
    assert axes("[0.5, -3, 1e9, 0, 0, 0, 0, 0, 9, 9]") == [0.5, -1.0, 1.0, 0, 0, 0, 0, 0]
