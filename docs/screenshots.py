"""Makes the pictures of README and docs from the real page: python docs/screenshots.py [FOLDER]

Needs Chromium and the packages of gerotor[test].
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gerotor.bench.browser import headless
from gerotor.machines import load_machine
from gerotor.realtime.session import Session
from gerotor.realtime.stages import cut, stage
from gerotor.viewer.page import LivePage


def until(condition: Callable[[], bool], seconds: float = 120) -> None:
    """Wait, but not for ever."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.1)


def show(browser: Any, session: Session, path: Path, act: Callable[[LivePage, Any], None]) -> None:
    """One session on a page of its own; `act` brings it to where the picture is taken."""
    page = LivePage(session, {session.machine: [session.stage.name]}, lambda m, s: session, port=0, frames=2)
    session.start()
    page.start()
    tab = browser.new_page(viewport={"width": 1440, "height": 860})
    tab.set_default_timeout(120_000)
    tab.goto(f"http://127.0.0.1:{page.port}")
    tab.get_by_text("EMERGENCY STOP").wait_for()
    notice = tab.locator(".mantine-Notification-closeButton")
    time.sleep(3)
    if notice.count():
        notice.first.click()
    act(page, tab)
    session.run.pause()
    time.sleep(6)
    tab.screenshot(path=str(path))
    sys.stdout.write(f"{path}\n")
    tab.close()
    page.close()
    session.close()


def operate(page: LivePage, tab: Any) -> None:
    for joint, way in (("j3", 0.8), ("j4", -0.8), ("j1", -0.3)):
        page.session.levers({f"operator.lever.{joint}": way})
        at = page.session.run.time
        until(lambda at=at: page.session.run.time > at + 2.0)  # type: ignore[misc]


def cutting(page: LivePage, tab: Any) -> None:
    tab.get_by_role("button", name="tool", exact=True).click()
    slot = page.around.slot
    until(lambda: slot is not None and slot.fraction > 0.45)


def crane(page: LivePage, tab: Any) -> None:
    page.session.levers({"operator.lever.swing": 1.0, "operator.lever.boom": -0.4})
    at = page.session.run.time
    until(lambda: page.session.run.time > at + 1.5)


def docking(page: LivePage, tab: Any) -> None:
    page.reset(settings={"speed": 40.0, "aside": 8.0})
    until(lambda: page.session.run.time > 6)


def bar(page: LivePage, tab: Any) -> None:
    page.session.levers({"operator.lever.crank": 1.0})
    at = page.session.run.time
    until(lambda: page.session.run.time > at + 8)


def robot(page: LivePage, tab: Any) -> None:
    page.session.levers({"operator.lever.j1": -0.4, "operator.lever.j3": -0.4, "operator.lever.j4": 0.6})
    at = page.session.run.time
    until(lambda: page.session.run.time > at + 5)


def main() -> None:
    """All pictures."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures")
    folder.mkdir(parents=True, exist_ok=True)
    with headless() as browser:
        if browser is None:
            raise SystemExit("Chromium or playwright is missing: run tools/system.sh as root and pip install 'gerotor[test]'")
        show(browser, Session("kaeri-arm", stage("kaeri-arm", "operate"), rate=500), folder / "live-operate.png", operate)
        fast = cut(load_machine("kaeri-arm"), feed=1e-3)
        show(browser, Session("kaeri-arm", fast, rate=500), folder / "live-cut.png", cutting)
        lesson = stage("forestry-crane", "training")
        show(browser, Session("forestry-crane", lesson, rate=500), folder / "live-training.png", crane)
        for machine, act in (("docking-rig", docking), ("four-bar", bar), ("rx90", robot)):
            show(browser, Session(machine, stage(machine), rate=500), folder / f"live-{machine}.png", act)


if __name__ == "__main__":
    main()
