"""Docking live: what is chosen before a start is what the start does."""

import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from gerotor.errors import InputError
from gerotor.realtime.session import Session
from gerotor.realtime.stages import stage


def wait(condition: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session("docking-rig", stage("docking-rig"), rate=200) as running:
        running.run.scale = 10.0
        yield running


def force(session: Session, duration: float, **settings: float) -> np.ndarray:  # type: ignore[type-arg]
    """The rope's force, N, over the first seconds of a docking: time, x, y, z."""
    session.reset(settings=settings)
    wait(lambda: session.run.time > duration or session.reason)
    wait(lambda: session.row() is not None and (session.row()[0] > duration - 0.05 or session.reason))  # type: ignore[index]
    rows = np.array(session.past)
    return rows[:, [0, *(session.index[f"rope.F.{a}"] for a in "xyz")]]


def test_first_contact_is_the_blow_of_a_mass_on_springs(session: Session) -> None:
    """First quarter second: craft (2000 kg) on the rope (40 kN/m), end-effector (300 kg) on its arm (10 kN/m, 400 N s/m)."""
    rows = force(session, 1.0, speed=30.0, aside=0.0, stiffness=40.0, compensate=1.0)
    craft, effector, rope, arm, rope_damping, arm_damping = 2000.0, 300.0, 4e4, 1e4, 320.0, 400.0
    x, v, y, w, h = 0.0, 0.03, 0.0, 0.0, 1e-5
    worst, t = 0.0, 0.0
    while t < 0.25:
        f = rope * (x - y) + rope_damping * (v - w)
        v, w = v - h * f / craft, w + h * (f - arm * y - arm_damping * w) / effector
        x, y, t = x + h * v, y + h * w, t + h
        worst = max(worst, f)
    early = rows[rows[:, 0] < 0.25]
    assert np.abs(early[:, 3]).max() == pytest.approx(worst, rel=0.15)
    assert np.abs(early[:, 1]).max() < 0.2 * worst


def test_the_delay_makes_it_diverge_and_compensation_does_not(session: Session) -> None:
    def growth(rows: np.ndarray) -> float:  # type: ignore[type-arg]
        early, late = (np.ptp(rows[(rows[:, 0] > a) & (rows[:, 0] <= a + 1), 1]) for a in (0.2, 2.5))
        return float(late / early)

    assert growth(force(session, 3.5, speed=0.0, aside=10.0, stiffness=40.0, compensate=1.0)) < 1.0
    assert growth(force(session, 3.5, speed=0.0, aside=10.0, stiffness=40.0, compensate=0.0)) > 1.5


def test_bad_settings_change_nothing(session: Session) -> None:
    before = dict(session.settings)
    with pytest.raises(InputError, match="approach speed = 500 mm/s: allowed 0 to 60 mm/s"):
        session.reset(settings={"speed": 500.0})
    with pytest.raises(InputError, match="setting"):
        session.reset(settings={"sped": 5.0})
    assert session.settings == before and session.run.running


def test_thrusters_push_the_rod_into_the_ropes(session: Session) -> None:
    """The craft pushes the end-effector (300 kg) and the station (50 t, 6e4 kg m^2), which turns: the thrust passes it at 4 m."""
    force(session, 1.0, speed=0.0, aside=0.0, stiffness=40.0, compensate=1.0)
    session.levers({"thrust.z": 50.0})
    wait(lambda: session.run.time > 25)
    rows = np.array(session.past)[-500:]
    pushed = 300 + 1 / (1 / 5e4 + 4.0**2 / 6e4)
    assert rows[:, session.index["rope.F.z"]].mean() == pytest.approx(50.0 * pushed / (pushed + 2000), rel=0.15)
    session.run.emergency_stop()
    wait(lambda: session.run.time > 30)
    np.testing.assert_allclose(session.run.world.x[:3], [0, 0, 1.5], atol=1e-3)
