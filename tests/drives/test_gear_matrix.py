import casadi as ca
import numpy as np
import pytest

from gerotor.core.evaluate import evaluate
from gerotor.drives.gear_matrix import GearMatrix
from gerotor.errors import ParameterError

RATIOS = (110.0, 130.0, 90.0, 65.0, 80.0, 45.0)
ROTORS = (3.0e-4, 3.0e-4, 1.5e-4, 4.0e-5, 3.0e-5, 3.0e-5)
RX90 = GearMatrix(ratios=RATIOS, couplings=((5, 4, 45.0),))


def test_moving_joint_five_turns_motors_five_and_six() -> None:
    np.testing.assert_allclose(evaluate(RX90, v=[0, 0, 0, 0, 1.0, 0])["w"], [0, 0, 0, 0, 80, 45])


def test_power_is_kept() -> None:
    v, tau = np.array([1.0, -2, 3, 0.5, -1, 2]), np.array([3.0, 1, -2, 5, 2, -1])
    y = evaluate(RX90, v=v, tau=tau)
    assert np.dot(y["F"], v) == pytest.approx(np.dot(tau, y["w"]), rel=1e-14)


def test_reflected_inertia() -> None:
    """n^2 J = 3.63, 5.07, 1.215, 0.169, 0.192, 0.061 kg m^2; the coupling adds to joint 5."""
    M = np.asarray(ca.evalf(RX90.reflected(ROTORS)))
    np.testing.assert_allclose(np.diag(M), [3.63, 5.07, 1.215, 0.169, 0.192 + 0.06075, 0.06075], rtol=1e-9)
    assert M[4, 5] == M[5, 4] == pytest.approx(0.06075)
    assert np.count_nonzero(M - np.diag(np.diag(M))) == 2


@pytest.mark.parametrize("entry", [(6, 0, 1.0), (0, -1, 1.0), (2, 2, 1.0)])
def test_impossible_coupling_is_refused(entry: tuple[int, int, float]) -> None:
    with pytest.raises(ParameterError, match="couplings has"):
        GearMatrix(ratios=RATIOS, couplings=(entry,))
