import numpy as np
import pytest

from gerotor.control.gain_rule import gain_rule
from gerotor.control.pid import pid
from gerotor.errors import ParameterError

TABLE_4 = {  # [kim2021, table 4], joints 1 to 6
    "Kd": (0.04, 0.10, 0.05, 0.04, 0.10, 0.10),
    "Kp": (1.28, 3.20, 1.60, 1.28, 3.20, 3.20),
    "Ki": (2.56, 6.40, 3.20, 2.56, 6.40, 6.40),
}


@pytest.mark.parametrize("factor", [1.0, 0.5])  # table 6 is half of table 4
def test_published_gains(factor: float) -> None:
    gains = gain_rule([factor * k * 0.01 for k in TABLE_4["Kd"]], period=0.01)
    for key, published in TABLE_4.items():
        assert getattr(gains, key) == pytest.approx([factor * k for k in published], rel=1e-12)


def test_error_dynamics_of_a_double_integrator() -> None:
    """With the true inertia the sampled loop's slow poles are those of s^2 + 2 zeta omega s + omega^2."""
    T, m = 1e-4, 3.0
    g = gain_rule([m], period=T, frequency=5.0, damping=0.7)
    roots = np.roots([m, g.Kd[0], g.Kp[0], g.Ki[0]])
    slow = roots[np.argsort(abs(roots))[:2]]
    assert np.sort_complex(slow) == pytest.approx(np.sort_complex(np.roots([1, 7, 25])), rel=3e-3)


@pytest.mark.parametrize(("estimate", "stable"), [(0.02, False), (0.03, True), (1.0, True), (1.4, True), (1.5, False)])
def test_range_of_stable_estimates(runner, estimate: float, stable: bool) -> None:
    """A unit mass, moved exactly between the samples of the controller itself; start 1 away, 20 s."""
    gains = gain_rule([estimate], period=0.01)
    step = runner(pid("c", period=0.01, measured=("q",), reference=("r",), command=("u",), unit="N", limit=1e30, **vars(gains)))
    q, v = 1.0, 0.0
    for _ in range(2000):
        u = step(q, 0.0)[0]
        q, v = q + 0.01 * v + 0.5e-4 * u, v + 0.01 * u
    assert (abs(q) < 0.1) == stable


@pytest.mark.parametrize("change", [{"inertia": [0.0]}, {"period": 0.0}, {"frequency": -1.0}, {"damping": float("nan")}])
def test_bad_numbers_are_refused(change: dict[str, object]) -> None:
    with pytest.raises(ParameterError, match="gain_rule"):
        gain_rule(**{"inertia": [1.0], "period": 0.01, **change})  # type: ignore[arg-type]
