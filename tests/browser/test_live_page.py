"""The live page in a real browser: see the machine, move it, pause, stop, cut, watch."""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from gerotor.machines import load_machine
from gerotor.realtime.session import Session
from gerotor.realtime.stages import cut, stage
from gerotor.viewer.page import LivePage
from tests.browser.driving import MARKS, field, opened, painted, picture, served, signal, wait

pytestmark = MARKS


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LivePage]:
    """The arm, and a cut ten times as fast as the published one: 40 s simulated, 4 s at ten times real time."""
    folder = tmp_path_factory.mktemp("recordings")
    stages = {"operate": stage("kaeri-arm", "operate"), "cut": cut(load_machine("kaeri-arm"), feed=2e-3)}

    def make(machine: str, name: str) -> Session:
        return Session(machine, stages[name], rate=500, folder=folder)

    yield from served(LivePage(make("kaeri-arm", "operate"), {"kaeri-arm": list(stages)}, make, port=0, frames=2))


@pytest.fixture(scope="module")
def page(live: LivePage, browser: Any) -> Any:
    tab = opened(browser, f"http://127.0.0.1:{live.port}")
    tab.get_by_text("EMERGENCY STOP").wait_for()
    return tab


def test_the_machine_is_seen(live: LivePage, page: Any) -> None:
    page.get_by_text("running", exact=True).first.wait_for()
    wait(lambda: painted(picture(page, "operate")) > 1000)


def test_a_lever_moves_the_joint_and_the_pressure(live: LivePage, page: Any) -> None:
    pressure = signal(live, "j3.line_1.p")
    slider = page.get_by_role("slider").nth(2)
    slider.focus()
    page.keyboard.press("End")
    wait(lambda: signal(live, "arm.q.j3") > np.radians(-18))
    assert abs(signal(live, "j3.line_1.p") - pressure) > 1e4
    page.get_by_text("Let go of all").click()
    held = live.session.run.simulation.program.held.index("operator.lever.j3")
    wait(lambda: live.session.run.world.w[held] == 0.0)
    page.get_by_text("Gauges", exact=True).click()
    page.locator("span[title='j3.line_1.p']").wait_for()
    page.get_by_text("Deadlines", exact=True).click()
    page.get_by_text("missed deadlines").wait_for()
    page.get_by_text("Plots", exact=True).click()


def test_pause_and_reset(live: LivePage, page: Any) -> None:
    page.get_by_role("button", name="pause", exact=True).click()
    page.get_by_text("paused", exact=True).first.wait_for()
    at = live.session.run.time
    time.sleep(0.3)
    assert live.session.run.time == at
    page.get_by_role("button", name="step", exact=True).click()
    wait(lambda: live.session.run.time == pytest.approx(at + live.session.step))
    page.get_by_role("button", name="reset", exact=True).click()
    wait(lambda: live.session.run.time < 0.01)
    page.get_by_role("button", name="play", exact=True).click()
    wait(lambda: live.session.run.time > 0.1)


def test_emergency_stop(live: LivePage, page: Any) -> None:
    page.get_by_role("slider").nth(0).focus()
    page.keyboard.press("End")
    wait(lambda: abs(signal(live, "j1.i")) > 1e-3)
    page.get_by_role("button", name="EMERGENCY STOP").click()
    wait(lambda: live.session.run.input_state == "emergency stop")
    wait(lambda: abs(signal(live, "j1.i")) == 0.0)
    page.locator("span", has_text="EMERGENCY STOP").first.wait_for()
    page.get_by_role("button", name="Release the stop").click()
    wait(lambda: live.session.run.input_state == "live")


def test_a_second_client_watches_only(live: LivePage, page: Any, browser: Any) -> None:
    tab = opened(browser, f"http://127.0.0.1:{live.port}", 700, 500)
    tab.get_by_text("You are watching.").wait_for()
    assert tab.get_by_role("slider").count() == 0
    tab.get_by_role("button", name="Take control").click()
    tab.get_by_text("someone else holds the controls").wait_for()
    tab.close()
    wait(lambda: len(live._controls) == 1)
    assert live.session.run.running


def test_the_pipe_is_cut_at_ten_times_real_time(live: LivePage, page: Any) -> None:
    page.get_by_text("Scenario", exact=True).click()
    field(page, "scenario").click()
    page.get_by_role("option", name="kaeri-arm: cut").click()
    wait(lambda: live.session.stage.name == "cut")
    field(page, "time scale").click()
    page.get_by_role("option", name="10", exact=True).click()
    wait(lambda: live.session.run.scale == 10.0)
    page.get_by_role("button", name="tool", exact=True).click()
    slot = live.around.slot
    assert slot is not None
    wait(lambda: 0.3 < slot.fraction < 1)
    picture(page, "cut")
    wait(lambda: slot.fraction == 1)
    wait(lambda: signal(live, "slot.fraction") > 0.999)
    picture(page, "cut-through")


def test_the_browser_dies_and_the_loop_goes_on(live: LivePage, page: Any) -> None:
    page.close()
    wait(lambda: live.control.holder is None)
    at = live.session.run.time
    wait(lambda: live.session.run.time > at + 0.2)
