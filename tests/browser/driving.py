"""Debian's Chromium without a screen, driven as an operator would."""

import io
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gerotor.bench.browser import CHROMIUM
from gerotor.viewer.page import LivePage
from gerotor.viewer.stage_page import LEFT

KEEP = os.environ.get("GEROTOR_SCREENSHOTS")  # a folder: keep what the browser saw
MARKS = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed: run tools/system.sh as root, or install it"),
]


def wait(condition: Callable[[], object], seconds: float = 90) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def served(page: LivePage) -> Iterator[LivePage]:
    """For a fixture: the page while its machine runs."""
    page.session.start()
    page.start()
    yield page
    page.close()
    page.session.close()


def opened(browser: Any, address: str, width: int = 1000, height: int = 640, script: str = "") -> Any:
    """A tab with the page, drawn coarsely to spare the processor."""
    tab = browser.new_page(viewport={"width": width, "height": height})
    tab.set_default_timeout(90_000)
    if script:
        tab.add_init_script(script)
    tab.goto(f"{address}?fixedDpr=0.5")
    return tab


def picture(page: Any, name: str) -> Any:
    """What the browser shows, as numbers."""
    from PIL import Image

    data = page.screenshot()
    if KEEP:
        Path(KEEP).mkdir(parents=True, exist_ok=True)
        (Path(KEEP) / f"{name}.png").write_bytes(data)
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


def painted(image: Any) -> int:
    """Pixels in the machine's yellow in the middle of the page, where the scene is."""
    scene = image[:, 370:660]
    red, green, blue = scene[..., 0], scene[..., 1], scene[..., 2]
    return int(((red > 120) & (red - blue > 60) & (green - blue > 25) & (red - green > 10)).sum())


def field(page: Any, label: str) -> Any:
    """The input that stands after a label."""
    return page.locator(f"xpath=//*[text()='{label}']/following::input[1]").first


def signal(live: LivePage, name: str) -> float:
    row = live.session.row()
    return float("nan") if row is None else float(row[live.session.index[name]])


def on_screen(client: Any, place: Any, height: int) -> tuple[float, float]:
    """Where a place of the scene is seen, in pixels of the tab."""
    from viser.transforms import SO3

    camera = client.camera
    x, y, z = SO3(np.asarray(camera.wxyz)).as_matrix().T @ (np.asarray(place) - camera.position)
    size = height / 2 / (z * np.tan(camera.fov / 2))
    return LEFT + height * camera.aspect / 2 + float(x * size), height / 2 + float(y * size)
