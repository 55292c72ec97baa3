from collections.abc import Iterator

import numpy as np
import pytest

from gerotor.errors import InputError
from gerotor.machines import load_machine
from gerotor.realtime.stages import cut
from gerotor.simulation.recording import Recording
from gerotor.viewer.replay import ReplayPage


@pytest.fixture(scope="module")
def page() -> Iterator[ReplayPage]:
    stage = cut(load_machine("kaeri-arm"), feed=2e-3)
    recording = stage.build("linear-euler").run(40.0, 5e-3, start=stage.start, record=stage.recorded, record_period=0.05)
    replay = ReplayPage(recording, stage, port=0)
    yield replay
    replay.server.stop()


def test_the_machine_stands_as_recorded(page: ReplayPage) -> None:
    for k in (0, 300, 799):
        page.show(float(page.recording.time[k]))
        np.testing.assert_allclose(page.machine.q, [page.recording[n][k] for n in page.stage.joints], atol=1e-6)


def test_the_slot_follows_time_both_ways(page: ReplayPage) -> None:
    slot = page.around.slot
    assert slot is not None
    page.show(39.0)
    assert slot.fraction == 1
    page.show(1.0)
    assert slot.fraction == 0
    page.show(20.0)
    assert slot.fraction == pytest.approx(float(np.interp(20.0, page.recording.time, page.recording["slot.fraction"])), abs=0.03)


def test_a_recording_of_something_else_is_refused(page: ReplayPage) -> None:
    with pytest.raises(InputError, match="lacks"):
        ReplayPage(Recording(["p"], ["Pa"], np.zeros((3, 2))), page.stage, port=0)
