import casadi as ca
import numpy as np
import pytest

from gerotor.control.profile import Profile
from gerotor.errors import ParameterError

PARABOLA = Profile((0.0, 1.0, 3.0), ((1.0, 0.0, 2.0), (3.0, 4.0)), start=1.0)


def test_values_by_hand() -> None:
    t = np.array([-1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 9.0])
    assert PARABOLA.position(t).tolist() == [1, 1, 1.5, 3, 7, 11, 11]
    assert PARABOLA.velocity(t).tolist() == [0, 0, 2, 4, 4, 4, 0]
    assert PARABOLA.acceleration(t).tolist() == [0, 4, 4, 0, 0, 0, 0]
    assert PARABOLA.end == 11
    assert PARABOLA.duration == 3
    assert PARABOLA.corners == (0, 1, 3)


def test_numbers_arrays_and_expressions_agree() -> None:
    t = ca.SX.sym("t")
    for key in ("position", "velocity", "acceleration", "jerk"):
        symbolic = ca.Function("f", [t], [getattr(PARABOLA, key)(t)])
        for value in (-1.0, 0.0, 0.3, 1.0, 2.5, 3.0, 4.0):
            assert float(symbolic(value)) == getattr(PARABOLA, key)(value) == getattr(PARABOLA, key)(np.array([[value]]))[0, 0]


def test_symbolic_velocity_is_the_derivative() -> None:
    t = ca.SX.sym("t")
    f = ca.Function("f", [t], [ca.jacobian(PARABOLA.position(t), t), PARABOLA.velocity(t)])
    for value in (-0.5, 0.2, 0.9, 1.5, 2.9, 3.5):
        d, v = f(value)
        assert float(d) == float(v)


def test_empty_profile_stays() -> None:
    still = Profile.chain([(0.0, (1.0,))], start=2.0)
    assert still.duration == 0
    assert still.corners == ()
    assert still.position(np.array([-1.0, 0.0, 1.0])).tolist() == [2, 2, 2]
    assert float(still.velocity(0.0)) == 0


@pytest.mark.parametrize(
    ("times", "coefficients"), [((0.0, 0.0), ((1.0,),)), ((1.0, 2.0), ((1.0,),)), ((0.0, 1.0), ()), ((0.0, np.inf), ((1.0,),))]
)
def test_bad_pieces_are_refused(times: tuple[float, ...], coefficients: tuple[tuple[float, ...], ...]) -> None:
    with pytest.raises(ParameterError, match="Profile"):
        Profile(times, coefficients)
