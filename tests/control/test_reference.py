import numpy as np
import pytest

from gerotor.control.line import line
from gerotor.control.reference import reference, rows, table
from gerotor.core.layout import Layout
from gerotor.errors import ParameterError

PATH = line((0.0, 1.0), (0.6, 1.8), speed=0.5, acceleration=1.0)
HOLDS = Layout.of(x="m", y="m")


def test_the_sampled_trajectory_and_its_table_agree(runner) -> None:
    held = table("set-points", 0.1, rows(PATH, 0.1), HOLDS)
    step = runner(reference("path", PATH, period=0.1, holds=HOLDS))
    for k in range(40):
        assert step() == pytest.approx(held.at(k * 0.1), abs=1e-14)
    assert held.duration >= PATH.duration


def test_velocity(runner) -> None:
    step = runner(reference("path", PATH, period=0.25, holds=HOLDS, quantity="velocity"))
    step()
    assert step() == pytest.approx(np.array([0.6, 0.8]) * 0.25)


def test_width_is_checked() -> None:
    with pytest.raises(ParameterError, match="holds"):
        reference("path", PATH, period=0.1, holds=Layout.of(x="m"))
    with pytest.raises(ParameterError, match="columns"):
        table("set-points", 0.1, rows(PATH, 0.1), Layout.of(x="m"))
