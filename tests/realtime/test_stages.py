"""Every machine can be operated: a lever moves its joint, a stop holds it, a release does not jump."""

import time
from collections.abc import Callable

import numpy as np
import pytest

from gerotor.realtime.operator import full_speed, operator
from gerotor.realtime.session import Session
from gerotor.realtime.stages import stage


def wait(condition: Callable[[], object], seconds: float = 40) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def value(session: Session, name: str) -> float:
    row = session.row()
    return float("nan") if row is None else float(row[session.index[name]])


@pytest.mark.parametrize(("machine", "joint", "settled"), [("four-bar", "crank", 12), ("rx90", "j2", 5)])
def test_a_lever_moves_its_joint_at_full_speed_and_a_stop_holds_it(machine: str, joint: str, settled: float) -> None:
    made = stage(machine, "operate")
    speed = full_speed(next(j for j in made.tree.moving if j.name == joint))
    with Session(machine, made, rate=200) as session:
        session.run.scale = 10.0
        wait(lambda: session.row() is not None)
        start = value(session, f"arm.q.{joint}")
        session.levers({f"operator.lever.{joint}": 1.0})
        wait(lambda: session.run.time > settled)
        rows = session.recent(2.0)
        moved = np.polyfit(rows[:, 0], rows[:, session.index[f"arm.q.{joint}"]], 1)[0]
        assert moved == pytest.approx(speed, rel=0.05)
        assert value(session, f"arm.q.{joint}") > start
        session.run.emergency_stop()
        session.neutral()
        at = session.run.time
        wait(lambda: session.run.time > at + 5)
        stood = value(session, f"arm.q.{joint}")
        wait(lambda: session.run.time > at + 15)
        assert value(session, f"arm.q.{joint}") == pytest.approx(stood, abs=2e-3)
        session.release()
        wait(lambda: session.run.time > at + 20)
        assert value(session, f"arm.q.{joint}") == pytest.approx(stood, abs=0.01)
        assert session.reason == ""


def test_set_points_of_a_servo_are_position_and_its_derivatives_in_drive_coordinates() -> None:
    import casadi as ca

    joints = stage("rx90", "operate").tree.moving
    S = np.eye(6)
    S[5, 4] = 1.0
    hand = operator(joints, np.zeros(6), 1e-3, S)
    d, r = ca.SX.sym("d", 12), ca.SX.sym("r", 13)
    update = ca.Function("update", [d, r], list(hand.update(d, r, 0.0)))
    lever = [1.0, *np.zeros(6), 0, 0, 0, 0, 1.0, 0]
    state = np.zeros(12)
    held = []
    for _ in range(3):
        new, w = update(state, lever)
        state = np.array(new).ravel()
        held.append(np.array(w).ravel())
    q, v, a = (np.array([h[6 * (k + 1) : 6 * (k + 2)] for h in held]) for k in range(3))
    np.testing.assert_allclose(np.diff(q, axis=0) / 1e-3, v[1:], atol=1e-12)
    np.testing.assert_allclose(np.diff(v, axis=0) / 1e-3, a[1:], atol=1e-9)
    np.testing.assert_allclose(q[:, 5], q[:, 4])
    assert v[-1, 4] > 0
