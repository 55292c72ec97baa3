from collections.abc import Iterator
from typing import Any

import pytest

from gerotor.bench.browser import headless


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install 'gerotor[test]'")
    with headless() as started:
        yield started
