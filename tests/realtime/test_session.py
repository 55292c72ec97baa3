import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from gerotor.errors import GerotorError, InputError
from gerotor.realtime.ledger import Ledger
from gerotor.realtime.session import Session
from gerotor.realtime.stages import stage
from gerotor.simulation.recording import Recording


def wait(condition: Callable[[], object], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("recordings")


@pytest.fixture(scope="module")
def session(folder: Path) -> Iterator[Session]:
    with Session("kaeri-arm", stage("kaeri-arm", "operate"), folder=folder, rate=500) as running:
        running.run.scale = 4.0
        yield running


def joint(session: Session, name: str = "j1") -> float:
    row = session.row()
    return 0.0 if row is None else float(row[session.index[f"arm.q.{name}"]])


def test_a_lever_moves_its_joint_and_changes_pressures(session: Session) -> None:
    wait(lambda: session.row() is not None)
    before = session.row()
    assert before is not None
    session.levers({"operator.lever.j1": 1.0})
    wait(lambda: joint(session) > 0.05)
    after = session.row()
    assert after is not None
    assert abs(after[session.index["j1.line_1.p"]] - before[session.index["j1.line_1.p"]]) > 1e5
    session.neutral()
    wait(lambda: session.run.world.w[session.run.simulation.program.held.index("operator.lever.j1")] == 0.0)


def test_a_slider_sends_a_joint_to_its_place_and_leaves_the_others(session: Session) -> None:
    session.targets({"j4": -0.3})
    wait(lambda: abs(joint(session, "j4") + 0.3) < 2e-3)
    assert joint(session, "j3") == pytest.approx(np.radians(-20), abs=5e-3)


def test_tool_goes_where_it_is_told(session: Session) -> None:
    row = session.row()
    assert row is not None
    at = row[[session.index[f"arm.tcp.{a}"] for a in "xyz"]]
    goal = at + np.array([0.05, 0.0, 0.05])
    session.tool_to(goal)

    def there() -> bool:
        now = session.row()
        return now is not None and bool(np.linalg.norm(now[[session.index[f"arm.tcp.{a}"] for a in "xyz"]] - goal) < 5e-3)

    wait(there)


def test_out_of_reach_changes_nothing(session: Session) -> None:
    held = session.run._inbox.copy()
    with pytest.raises(GerotorError, match="out of reach"):
        session.tool_to([50.0, 0.0, 0.0])
    np.testing.assert_array_equal(session.run._inbox, held)


@pytest.mark.parametrize("bad", [{"operator.lever.j9": 1.0}, {"j1.i": 0.02}, {"operator.lever.j1": float("nan")}])
def test_bad_levers_are_refused(session: Session, bad: dict[str, float]) -> None:
    with pytest.raises(InputError):
        session.levers(bad)


def test_emergency_stop_at_full_speed_and_release_without_a_jump(session: Session) -> None:
    session.levers({"operator.lever.j1": -1.0})
    at = joint(session)
    wait(lambda: joint(session) < at - 0.1)
    session.run.emergency_stop()
    session.neutral()
    current = session.index["j1.i"]
    wait(lambda: session.past[-1][current] == 0.0)
    stood = session.run.time
    wait(lambda: session.run.time > stood + 2.0)
    stop = joint(session)
    session.release()
    wait(lambda: session.run.time > stood + 4.0)
    assert session.run.input_state == "live" and session.reason == ""
    assert joint(session) == pytest.approx(stop, abs=0.01)


def test_reset_with_another_step_and_integrator(session: Session) -> None:
    session.reset(method="linear-euler", step=2e-3)
    assert session.method == "linear-euler"
    wait(lambda: session.row() is not None and session.run.time > 0.1)
    assert abs(joint(session)) < 0.05
    with pytest.raises(GerotorError):
        session.reset(step=3e-3)
    with pytest.raises(GerotorError):
        session.reset(method="magic")
    assert (session.method, session.step) == ("linear-euler", 2e-3)
    assert session.run.running


def test_every_run_left_a_recording(session: Session, folder: Path) -> None:
    session.reset()
    wait(lambda: session.run.time > 0.1)
    for path in session.recordings[:-1]:
        back = Recording.load(path)
        assert len(back) and back.facts["complete"]
        assert (back.facts["machine"], back.facts["stage"]) == ("kaeri-arm", "operate")
        assert Ledger.from_facts(back.facts["ledger"]).ticks > 0
        assert np.all(np.diff(back.time) > 0)
