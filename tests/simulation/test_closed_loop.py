"""Scenarios with the two-rate controller of the electric robot."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gerotor.assembly.cut import cut
from gerotor.core.linearise import MotionLinearisation
from gerotor.errors import InputError
from gerotor.machines import load_machine
from gerotor.machines.servo import holding_load
from gerotor.simulation.scenario import Scenario, prepare, read_scenario

LINE = Path(__file__).parents[2] / "src/gerotor/examples" / "robot_line.yaml"
Q = [f"arm.q.j{k}" for k in range(1, 7)]


def scenario(**changes: Any) -> Scenario:
    return Scenario.model_validate({"machine": "rx90", "duration": "0.5 s", "step": "0.25 ms", "controller": "servo", **changes})


def test_line_is_followed() -> None:
    """The head follows within 0.5 mm and ends at the line's end; friction keeps the error from vanishing."""
    run = prepare(read_scenario(LINE)).run()
    off = np.stack([run[f"arm.tip.{a}"] - run[f"ref.tip.{a}"] for a in "xyz"], axis=1)
    assert 1e-6 < np.abs(off).max() < 5e-4
    end = np.array([run[f"arm.tip.{a}"][-1] for a in "xyz"])
    assert end == pytest.approx([0.55, 0.2, 0.25], abs=2e-4)


def test_joints_are_led_from_point_to_point() -> None:
    points = [{"j1": "0 deg", "j2": "20 deg", "j3": "90 deg"}, {"j1": "10 deg", "j2": "30 deg", "j3": "90 deg"}]
    run = prepare(scenario(task={"kind": "joints", "times": ["0 s", "0.5 s"], "points": points}, duration="0.7 s")).run()
    wanted = np.radians([10, 30, 90, 0, 0, 0])
    assert [run[q][0] for q in Q] == pytest.approx(np.radians([0, 20, 90, 0, 0, 0]))
    assert [run[q][-1] for q in Q] == pytest.approx(wanted, abs=2e-3)


def test_hold_stays_from_the_first_sample() -> None:
    run = prepare(scenario(start={"j2": "40 deg", "j3": "80 deg", "j5": "30 deg"}, duration="0.2 s")).run()
    assert max(np.ptp(run[q]) for q in Q) < 1e-12


def test_holding_load_is_that_of_the_linearised_arm() -> None:
    robot, q = load_machine("rx90"), np.array([0.1, 0.5, 0.7, 0.2, 0.3, 0.4])
    smooth = MotionLinearisation(cut(robot.assemble().system, ["arm", "spring"]).ode())
    assert holding_load(robot, q) == pytest.approx(smooth.along(q, np.zeros(6), np.zeros(6))[0][0, :, 0], abs=1e-9)


def test_a_path_needs_an_attitude() -> None:
    task = {"kind": "line", "frame": "tip", "begin": ["0.5 m"] * 3, "end": ["0.4 m"] * 3, "speed": "0.2 m/s"}
    with pytest.raises(InputError, match=r"task.rpy is missing: the servo controller 'servo' needs the attitude of 'tip'"):
        prepare(scenario(task=task))
