import numpy as np
import pytest

from gerotor.core.layout import Layout
from gerotor.core.linearise import Linearisation, StateSpace
from gerotor.machines import load_machine
from gerotor.reduction.modes import modes


def oscillator(w: float = 30.0, z: float = 0.2) -> StateSpace:
    A = np.array([[0, 1, 0], [-w * w, -2 * z * w, 0], [0, 0, -5.0]])
    return StateSpace(A, np.eye(3), np.eye(3), np.zeros((3, 3)), Layout.of(q="m", v="m/s", y="1"), Layout.of(a="1", b="1", c="1"),
                      Layout.of(d="1", e="1", f="1"))


def test_an_oscillator_and_a_lag() -> None:
    lag, swing = modes(oscillator())
    assert (lag.frequency, lag.damping) == pytest.approx((5, 1))
    assert lag.main(1) == ["y"]
    assert (swing.frequency, swing.damping) == pytest.approx((30, 0.2))
    assert swing.participation == pytest.approx({"q": 0.5, "v": 0.5, "y": 0})
    assert swing.stable


def test_stuck_joints_of_the_robot_swing_on_their_bristles() -> None:
    """Stuck, each joint is a mass on a spring: sqrt(stiffness / inertia) for axis 1, which nothing couples at zero pose."""
    robot = load_machine("rx90")
    ode = robot.ode()
    found = modes(Linearisation(ode).at())
    axis = [m for m in found if m.main(2)[0] in ("arm.q.j1", "arm.v.j1", "friction1.z")]
    inertia = float(np.array(ode.function("m", next(b for b in ode.blocks if b.name == "arm").mass)(
        ode.states.array("start"), np.zeros(6), [], 0))[0, 0])
    assert any(m.frequency == pytest.approx(np.sqrt(3.75e6 / inertia), rel=0.02) for m in axis)
