import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from gerotor.core.evaluate import evaluate, function
from gerotor.mechanics.lugre import LuGre

JOINT = LuGre(coulomb=400.0, static=600.0, stribeck_velocity=0.03, stiffness=4e6, damping=2e4, viscous=6000.0)
SKEW = LuGre(coulomb=30.0, static=37.5, stribeck_velocity=0.03, stiffness=3.75e6, damping=3674.0, viscous=25.0,
             exponent=1.0, coulomb_backward=28.5, static_backward=36.0)


def slide(part: LuGre, v: float, time: float, z: float = 0.0) -> Any:
    f = function(part)
    return solve_ivp(lambda _, z: [float(f(z=z[0], v=v)["d_z"])], (0, time), [z], method="Radau", rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize("v", [-0.5, -0.03, -0.005, 0.005, 0.03, 0.5])
def test_steady_sliding_is_the_stribeck_curve(v: float) -> None:
    z = slide(JOINT, v, 60 * 1.5e-4 / abs(v)).y[0, -1]
    expected = (400 + 200 * math.exp(-((v / 0.03) ** 2))) * math.copysign(1, v) + 6000 * v
    assert evaluate(JOINT, z=z, v=v)["F"] == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize(("v", "coulomb", "static"), [(0.06, 30, 37.5), (-0.06, 28.5, 36)])
def test_direction_and_exponent(v: float, coulomb: float, static: float) -> None:
    z = slide(SKEW, v, 0.05).y[0, -1]
    expected = (coulomb + (static - coulomb) * math.exp(-2)) * math.copysign(1, v) + 25 * v
    assert evaluate(SKEW, z=z, v=v)["F"] == pytest.approx(expected, rel=1e-6)


def test_fresh_bristles_damp() -> None:
    """z = 0: z' = v, so F = (s1 + s2) v."""
    assert evaluate(JOINT, z=0.0, v=1e-3)["F"] == pytest.approx((2e4 + 6000) * 1e-3, rel=1e-12)


def test_presliding_is_a_spring() -> None:
    f = function(JOINT)
    run = solve_ivp(lambda t, z: [float(f(z=z[0], v=1e-6 * math.cos(t))["d_z"])], (0, math.pi / 2), [0.0], rtol=1e-10, atol=1e-16)
    assert 4e6 * run.y[0, -1] == pytest.approx(4e6 * 1e-6, rel=0.01)


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=5))
def test_bristles_never_bend_beyond_the_static_level(speeds: list[float]) -> None:
    """|z| = Fs / s0 can not be crossed outwards, whatever the speed."""
    edge = 600 / 4e6
    for v in speeds:
        assert evaluate(JOINT, z=edge, v=v)["d_z"] <= 1e-15
        assert evaluate(JOINT, z=-edge, v=v)["d_z"] >= -1e-15


@given(z=st.floats(-1, 1), v=st.one_of(st.floats(-1e12, 1e12), st.sampled_from([0.0, 1e-300, -1e-300])))
def test_finite(check_finite: Any, z: float, v: float) -> None:
    check_finite(JOINT, z=z, v=v)
    check_finite(SKEW, z=z, v=v)


def test_signals_carry_the_units_of_the_joint(check_units: Any) -> None:
    slide_friction = LuGre(coulomb=1000.0, static=1500.0, stribeck_velocity=0.006, stiffness=2e7, damping=1e5, viscous=8e4,
                           rotary=False)
    assert (slide_friction.outputs["F"].unit, JOINT.outputs["F"].unit) == ("N", "N*m")
    assert (slide_friction.states["z"].unit, JOINT.inputs["v"].unit) == ("m", "rad/s")
    assert JOINT.states["z"].scale == pytest.approx(1.5e-4)
    check_units(slide_friction, z=3e-5, v=0.01)


def test_dissipates_over_a_cycle() -> None:
    f = function(JOINT)

    def rate(t: float, y: Any) -> list[float]:
        v = 0.05 * math.sin(10 * t)
        out = f(z=y[0], v=v)
        return [float(out["d_z"]), float(out["F"]) * v]

    run = solve_ivp(rate, (0, 2 * math.pi / 10), [0.0, 0.0], method="Radau", rtol=1e-7, atol=[1e-11, 1e-6])
    assert run.y[1, -1] > 0
    assert np.all(np.isfinite(run.y))
