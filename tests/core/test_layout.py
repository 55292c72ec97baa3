import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gerotor.core.component import Signal
from gerotor.core.layout import Entry, Layout, expand
from gerotor.errors import InputError, WiringError

pytestmark = pytest.mark.vm
LAYOUT = Layout((Entry("boom.p", "Pa", lower=0, upper=3e7, scale=1e7, start=1e5), Entry("boom.v", "m/s")))


def test_names_positions_and_numbers() -> None:
    assert LAYOUT.names == ["boom.p", "boom.v"]
    assert LAYOUT.index("boom.v") == 1
    assert LAYOUT.indices(["boom.v", "boom.p"]) == [1, 0]
    assert "boom.p" in LAYOUT
    assert "boom.q" not in LAYOUT
    assert LAYOUT.array("upper").tolist() == [3e7, math.inf]
    assert (LAYOUT + Layout.of(t="s")).names == ["boom.p", "boom.v", "t"]


def test_unknown_name_answers_with_the_nearest() -> None:
    with pytest.raises(WiringError, match=r"unknown signal 'boom.P'; known: .*boom\.p"):
        LAYOUT.index("boom.P")


def test_duplicates_are_named() -> None:
    with pytest.raises(WiringError, match="duplicate name a"):
        Layout.of(a="1") + Layout.of(a="m")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_values_must_be_finite(value: float) -> None:
    with pytest.raises(InputError, match=r"boom\.v = .* m/s: must be a finite number"):
        LAYOUT.pack({"boom.v": value})


@given(st.dictionaries(st.sampled_from(LAYOUT.names), st.floats(allow_nan=False, allow_infinity=False)))
def test_pack_and_unpack_are_inverse(values: dict[str, float]) -> None:
    packed = LAYOUT.pack(values)
    assert LAYOUT.unpack(packed) == {"boom.p": 1e5, "boom.v": 0.0, **values}
    np.testing.assert_array_equal(LAYOUT.pack(LAYOUT.unpack(packed)), packed)


def test_expand_gives_every_element_its_own_unit_and_range() -> None:
    signal = Signal("rad", names=("j1", "j2"), units=("rad", "m"), lower=(-1.0, 0.0), upper=2.0, start=(0.0, 0.5))
    assert expand("arm", "q", signal) == [
        Entry("arm.q.j1", "rad", lower=-1.0, upper=2.0), Entry("arm.q.j2", "m", lower=0.0, upper=2.0, start=0.5),
    ]
    assert expand("", "p", Signal("Pa"))[0].name == "p"
