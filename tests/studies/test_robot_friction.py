"""The study of the robot on a line: scene, convergence, claims."""

import numpy as np
import pytest

from gerotor.machines import load_machine
from gerotor.studies import find_study
from gerotor.studies.base import Watch
from gerotor.studies.robot import Scene


@pytest.fixture(scope="module")
def result():
    return find_study("robot-friction").run(Watch())


def test_claims_that_can_be_reproduced_hold(result) -> None:
    assert not [c.id for c in result.claims if c.failed]
    ours = {c.id: c.ours for c in result.claims}
    assert ours["C03-3"] < 0.3
    assert ours["C03-4"] < 0.1
    assert 20 < ours["C03-3b"] < 60
    assert {c.id for c in result.claims if c.verdict == "hardware"} == {"C03-1", "C03-2", "C03-8", "C03-9"}


def test_figures_and_tables(result) -> None:
    assert [f.title.split("(")[-1] for f in result.figures] == [
        "fig. 6)", "fig. 7)", "figs. 8 and 10)", "figs. 8 and 10)", "fig. 9)", "fig. 10)"]
    largest = [float(row[2]) for row in result.tables[0].rows[:5]]
    assert largest[0] > 5 * largest[1] > 10 * largest[2] > 50 * largest[3]
    assert max(largest[3:]) < 0.3  # what is left from 200 points on comes from holding the matrices
    assert [row[0] for row in result.tables[2].rows] == ["trapezoid", "jerk-limited, 10 m/s^3"]


def test_step_halving_converges() -> None:
    """Second order: the tip of the path moves four times less at half the step."""
    scene = Scene(load_machine("rx90"))
    ends = [scene.deviation(scene.run(scene.nonlinear, step=h))[300:4500] for h in (0.25e-3, 0.125e-3, 0.0625e-3)]
    coarse, fine = (np.sqrt(np.mean((ends[k] - ends[k + 1]) ** 2)) for k in range(2))
    assert coarse < 1e-7
    assert coarse / fine > 2.5
