import numpy as np
import pytest

from gerotor.realtime.training import Course, Target, Training

INDEX = {"time": 0, "x": 1, "y": 2, "z": 3, "ps": 4, "Q": 5, "p": 6, "stop": 7}
TARGETS = (Target("take", (1, 0, 0), 0.1, 300.0), Target("drop", (0, 1, 0), 0.1, 0.0))
COURSE = Course(TARGETS, ("x", "y", "z"), "load", "ps", ("Q",),
                ("p",), ("stop",), speed_limit=2.0, pressure_limit=2e7, par=10.0)


def row(t: float, place: tuple[float, float, float], Q: float = 1e-3, p: float = 1e7, stop: float = 0.0) -> list[float]:
    return [t, *place, 1e7, Q, p, stop]


def test_targets_in_order_after_a_dwell() -> None:
    training = Training(COURSE)
    rows = np.array([row(0.1 * k, (1, 0, 0)) for k in range(5)])
    assert training.advance(rows, INDEX) == {}
    assert training.advance(np.array([row(0.1 * k, (1, 0, 0)) for k in range(5, 8)]), INDEX) == {"load": 300.0}
    assert training.target is not None and training.target.name == "drop"
    assert training.advance(np.array([row(2 + 0.1 * k, (0, 1, 0.05)) for k in range(8)]), INDEX) == {"load": 0.0}
    assert training.done
    at = training.time
    training.advance(np.array([row(9, (0, 0, 0))]), INDEX)
    assert training.time == at


def test_leaving_a_target_starts_its_dwell_again() -> None:
    training = Training(COURSE)
    training.advance(np.array([row(0.1 * k, (1, 0, 0) if k != 4 else (1.2, 0, 0)) for k in range(9)]), INDEX)
    assert training.reached == 0


def test_energy_limits_and_score_by_hand() -> None:
    """20 s at 1e7 Pa and 1e-3 m^3/s draw 200 kJ; 5 s over the pressure limit; 10 s over par."""
    training = Training(COURSE)
    rows = [row(float(t), (5, 5, 5), p=3e7 if t > 15 else 1e7) for t in range(21)]
    training.advance(np.array(rows), INDEX)
    assert training.energy == pytest.approx(2e5)
    assert training.over == pytest.approx(5.0)
    assert training.score == 1000 - 2 * 10 - 20 - 50
    training.reset()
    assert (training.time, training.energy, training.score) == (0.0, 0.0, 1000)


def test_oil_flowing_back_gives_no_energy_and_speed_counts() -> None:
    training = Training(COURSE)
    training.advance(np.array([row(0.0, (0, 0, 0), Q=-1e-3), row(1.0, (3, 0, 0), Q=-1e-3)]), INDEX)
    assert training.energy == 0.0 and training.over == 1.0
