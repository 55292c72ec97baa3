import numpy as np
import pytest

from gerotor.core.layout import Layout
from gerotor.core.linearise import Linearisation, StateSpace
from gerotor.errors import InputError
from gerotor.machines import load_machine
from gerotor.reduction.frequency_response import frequency_response, to_control


def lag() -> StateSpace:
    return StateSpace(np.array([[-4.0]]), np.array([[4.0]]), np.array([[1.0]]), np.array([[0.0]]),
                      Layout.of(x="1"), Layout.of(u="1"), Layout.of(y="1"))


def test_a_lag_by_hand() -> None:
    response = frequency_response(lag(), [4.0, 400.0])
    assert response.of("y", "u")[0] == pytest.approx(1 / (1 + 1j))
    assert response.magnitude("y", "u") == pytest.approx([-3.0103, -40.0], abs=1e-3)
    assert response.phase("y", "u")[0] == pytest.approx(-45)


def test_robot_against_the_inverse_and_python_control() -> None:
    robot = load_machine("rx90")
    model = Linearisation(robot.ode()).at({"arm.q.j2": 0.9, "arm.q.j3": 0.9})
    w = np.array([1.0, 30.0, 700.0])
    ours = frequency_response(model, w, ["j2.i"], ["arm.q.j2"]).of("arm.q.j2", "j2.i")
    one = model.pick(["j2.i"], ["arm.q.j2"])
    theirs = [(one.C @ np.linalg.inv(1j * x * np.eye(len(one.A)) - one.A) @ one.B + one.D)[0, 0] for x in w]
    assert ours == pytest.approx(theirs, rel=1e-6)
    control = pytest.importorskip("control")
    assert control.poles(to_control(one)).real.max() < 1e-3


def test_poles_and_nonsense() -> None:
    one, none = np.eye(1), np.zeros((1, 1))
    free = StateSpace(none, one, one, none, Layout.of(x="1"), Layout.of(u="1"), Layout.of(y="1"))
    with pytest.raises(InputError, match="a pole on one of the frequencies"):
        frequency_response(free, [0.0])
    with pytest.raises(InputError, match="finite and at least 0"):
        frequency_response(lag(), [np.nan])
