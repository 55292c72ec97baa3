from itertools import pairwise

import casadi as ca
import pytest

from gerotor.control.take_up import take_up
from gerotor.errors import ParameterError


def test_weight_comes_on_and_off_without_a_jump() -> None:
    part = take_up("grapple", period=0.01, command="grip", mass_signal="log.mass", mass=400.0, time=0.5)
    share, masses = ca.DM([0.0]), []
    for grip in [1.0] * 60 + [0.0] * 60:
        share, mass = part.update(share, ca.DM([grip]), 0.0)
        masses.append(float(mass))
    assert masses[49] == pytest.approx(400) and masses[24] == pytest.approx(200)
    assert masses[-1] == 0
    assert max(abs(b - a) for a, b in pairwise(masses)) < 400 * 1.5 * 0.01 / 0.5 * 1.001


def test_values_are_checked() -> None:
    with pytest.raises(ParameterError, match=r"grapple\.time = 0 s: must be above 0"):
        take_up("grapple", period=0.01, command="grip", mass_signal="log.mass", mass=400.0, time=0.0)
