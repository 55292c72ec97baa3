"""What an operator has beside sliders: keys, a gamepad, the tool's handle, other methods and machines; and who may operate."""

import socket
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from gerotor.cli.live import choices
from gerotor.realtime.session import Session
from gerotor.realtime.stages import stage
from gerotor.viewer.page import LivePage
from tests.browser.driving import MARKS, field, on_screen, opened, served, signal, wait

pytestmark = MARKS
HEIGHT = 640
PAD = "window.pad = null; navigator.getGamepads = () => [window.pad];"


@pytest.fixture(scope="module")
def live() -> Iterator[LivePage]:
    """Open to every address of this machine."""

    def make(machine: str, name: str) -> Session:
        return Session(machine, stage(machine, name), rate=500)

    yield from served(
        LivePage(make("kaeri-arm", "operate"), choices("kaeri-arm"), make, host="0.0.0.0", port=0, frames=2, token="sesame")
    )


@pytest.fixture(scope="module")
def page(live: LivePage, browser: Any) -> Any:
    tab = opened(browser, f"http://127.0.0.1:{live.port}", 1150, HEIGHT, script=PAD)
    tab.get_by_text("EMERGENCY STOP").wait_for()
    return tab


def lever(live: LivePage, joint: str) -> float:
    """What the loop has been told."""
    run = live.session.run
    return float(run.world.w[run.simulation.program.held.index(f"operator.lever.{joint}")])


def test_keys_choose_and_move_a_lever_that_springs_back(live: LivePage, page: Any) -> None:
    page.mouse.click(500, 600)
    at = signal(live, "ref.q.j4")
    page.keyboard.press("4")
    for _ in range(4):
        page.keyboard.press("ArrowUp")
    wait(lambda: signal(live, "ref.q.j4") > at + 0.005)
    wait(lambda: lever(live, "j4") == 0.0)
    page.keyboard.press("ArrowDown")
    wait(lambda: lever(live, "j4") == -1.0)
    wait(lambda: lever(live, "j4") == 0.0)


def test_keys_pause_step_reset_and_stop(live: LivePage, page: Any) -> None:
    page.keyboard.press("Space")
    wait(lambda: live.session.run.state == "paused")
    at = live.session.run.time
    page.keyboard.press("s")
    wait(lambda: live.session.run.time == pytest.approx(at + live.session.step))
    page.keyboard.press("r")
    wait(lambda: live.session.run.time < 1e-9)
    page.keyboard.press("Space")
    wait(lambda: live.session.run.state == "running")
    page.keyboard.press("e")
    wait(lambda: live.session.run.input_state == "emergency stop")
    page.get_by_role("button", name="Release the stop").click()
    wait(lambda: live.session.run.input_state == "live")
    page.keyboard.press("Escape")
    wait(lambda: live.session.run.input_state == "emergency stop")
    page.get_by_role("button", name="Release the stop").click()
    wait(lambda: live.session.run.input_state == "live")


def test_a_gamepad_moves_the_levers_and_lets_go_when_it_is_gone(live: LivePage, page: Any) -> None:
    page.get_by_label("gamepad").check()
    page.evaluate("window.pad = {axes: [0, 0, -0.6, 0.05]}")
    wait(lambda: lever(live, "j3") == pytest.approx(-0.6, abs=0.01))
    assert lever(live, "j4") == 0.0
    page.evaluate("window.pad = null")
    wait(lambda: lever(live, "j3") == 0.0)
    page.get_by_label("gamepad").uncheck()


def test_the_tool_goes_to_a_place_and_follows_its_handle(live: LivePage, page: Any) -> None:
    here = live.machine.tool_position(live.machine.q)
    page.get_by_text("Tool: go to", exact=True).click()
    place = page.locator("xpath=//*[text()='x, y, z in m']/following::input")
    for k, number in enumerate(here + np.array([0.1, 0.0, 0.1])):
        place.nth(k).fill(f"{number:.3f}")
        place.nth(k).press("Enter")
    page.get_by_role("button", name="Go", exact=True).click()
    wait(lambda: np.linalg.norm([signal(live, f"arm.tcp.{a}") for a in "xyz"] - here - [0.1, 0.0, 0.1]) < 0.01)
    page.get_by_label("drag in the scene").check()
    controls = live._controls[live.control.holder or 0]
    wait(lambda: controls.handle is not None)
    start = np.array(controls.handle.position)
    up = np.array([0, 0, live.machine.reach])

    def dragged() -> bool:
        """Taken by its upright arrow and pulled down; anew where the browser was too slow to see it: then the view has turned."""
        now = np.array(controls.handle.position)
        grip, goal = (on_screen(controls.client, now + share * up, HEIGHT) for share in (0.09, 0.03))
        page.mouse.move(*grip)
        page.wait_for_timeout(300)
        page.mouse.down()
        page.mouse.move(*goal, steps=6)
        page.wait_for_timeout(300)
        page.mouse.up()
        return bool(controls.handle.position[2] < start[2] - 0.02 * live.machine.reach)

    wait(dragged)
    wait(lambda: abs(signal(live, "arm.tcp.z") - controls.handle.position[2]) < 0.01)
    page.get_by_label("drag in the scene").uncheck()
    wait(lambda: controls.handle is None)


def test_another_integrator_and_step(live: LivePage, page: Any) -> None:
    page.get_by_text("Scenario", exact=True).click()
    field(page, "integrator").click()
    page.get_by_role("option", name="extrapolated", exact=True).click()
    field(page, "step, ms").click()
    page.get_by_role("option", name="2", exact=True).click()
    page.get_by_role("button", name="Restart with these").click()
    wait(lambda: (live.session.method, live.session.step) == ("extrapolated", pytest.approx(2e-3)))
    wait(lambda: live.session.run.time > 0.1)
    assert live.session.reason == ""


def test_another_machine_and_its_settings(live: LivePage, page: Any) -> None:
    field(page, "scenario").click()
    assert page.get_by_role("option").count() == sum(len(kinds) for kinds in live.choices.values())
    page.get_by_role("option", name="docking-rig: dock").click()
    wait(lambda: live.session.machine == "docking-rig")
    page.get_by_text("approach speed, mm/s").wait_for()
    page.get_by_label("delay compensated").uncheck()
    page.get_by_role("button", name="Start", exact=True).click()
    wait(lambda: live.session.settings["compensate"] == 0.0)
    wait(lambda: abs(signal(live, "rope.F.x")) > 1.0)


def test_control_from_another_address_needs_the_token(live: LivePage, page: Any, browser: Any) -> None:
    address = other_address()
    page.get_by_text("Scenario", exact=True).click()
    page.get_by_role("button", name="Give control away").click()
    wait(lambda: live.control.holder is None)
    tab = opened(browser, f"http://{address}:{live.port}", 700, 500)
    tab.get_by_text("You are watching.").wait_for()
    assert live.control.holder is None
    take = tab.get_by_role("button", name="Take control")
    take.click()
    tab.get_by_text("control from another machine needs the token").first.wait_for()
    assert live.control.holder is None
    field(tab, "token").fill("sesame")
    field(tab, "token").press("Enter")
    take.click()
    tab.get_by_text("EMERGENCY STOP").wait_for()
    page.get_by_role("button", name="Take control").click()
    page.get_by_text("someone else holds the controls").wait_for()
    tab.close()
    wait(lambda: live.control.holder is None)
    page.get_by_role("button", name="Take control").click()
    page.get_by_text("EMERGENCY STOP").wait_for()


def other_address() -> str:
    """An address of this machine that is not loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            address = str(probe.getsockname()[0])
        except OSError:
            address = "127.0.0.1"
    if address.startswith("127."):
        pytest.skip("this machine has no address but loopback")
    return address
