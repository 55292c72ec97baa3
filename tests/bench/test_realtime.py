"""The bench of paced runs: both ledgers, whatever this machine allows; no claim about times here."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from gerotor.bench import realtime as module
from gerotor.bench.realtime import realtime


@contextmanager
def nobody() -> Iterator[Any]:
    yield None


def test_both_ledgers_and_what_was_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "headless", nobody)
    result = realtime(lambda text: None, cases=((500.0, 0.4),))
    assert result.value("bare loop, 500 Hz, ordinary priority", "ticks") == 200
    ours = "closed loop, 500 Hz, ordinary priority"
    assert result.value(ours, "ticks") > 100
    assert 0 < result.value(ours, "compute time p50") <= result.value(ours, "compute time p99")
    assert result.value(ours, "compute time p99.99") <= result.value(ours, "compute time worst")
    assert any("NO BROWSER" in note for note in result.notes)
    assert any("load average" in note for note in result.notes)
    assert result.tables[0].heads == ("", "closed loop", "bare sleeping loop")
