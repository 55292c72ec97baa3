from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.driving import CHROMIUM, FLAGS


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install 'gerotor[test]'")
    with api.sync_playwright() as play:
        started = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()
