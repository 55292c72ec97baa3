import math

import numpy as np
import pytest

from gerotor.control.pid import pid
from gerotor.errors import ParameterError

AXIS = {"measured": ("q",), "reference": ("r",), "command": ("u",), "unit": "mA"}
ONE = {**AXIS, "period": 0.1, "Kp": 2.0, "Ki": 3.0, "Kd": 0.5, "limit": 20.0}


def test_step_by_hand(runner) -> None:
    """e = 1, 1, 0.5: I = 0.1, 0.2, 0.25; D = 0, 0, -5."""
    step = runner(pid("c", **ONE))
    assert step(0.0, 1.0) == pytest.approx([2 + 0.3])
    assert step(0.0, 1.0) == pytest.approx([2 + 0.6])
    assert step(0.5, 1.0) == pytest.approx([-2.5 + 1 + 0.75])


def test_gains_per_degree_and_millimetre(runner) -> None:
    """Joints 1 and 2 of the circle gains of [kim2021, table 4]: errors of 1 deg and 1 mm."""
    part = pid("c", period=0.01, measured=("q1", "q2"), reference=("r1", "r2"), command=("u1", "u2"), unit="mA",
               Kp=(1.28, 3.2), Ki=(2.56, 6.4), Kd=(0.04, 0.1), limit=20.0, error_scale=(180 / math.pi, 1e3))
    assert part.reads == ("q1", "q2", "r1", "r2")
    step = runner(part)
    assert step([0, 0], [math.radians(1), 1e-3]) == pytest.approx([1.28 + 0.0256, 3.2 + 0.064])
    assert step([0, 0], [math.radians(2), 0]) == pytest.approx([4 + 2.56 + 2.56 * 0.03, -10 + 6.4 * 0.01])


def test_saturates_at_the_limit(runner) -> None:
    step = runner(pid("c", **{**ONE, "limit": 1.5}))
    assert step(0.0, 1.0) == pytest.approx([1.5])
    assert step(0.0, -9.0) == pytest.approx([-1.5])
    assert runner(pid("c", **{**ONE, "limit": math.inf}))(0.0, 1e6) == pytest.approx([2.3e6])


def test_derivative_filter_is_a_lag_of_the_backward_difference(runner) -> None:
    only_d = {**ONE, "Kp": 0.0, "Ki": 0.0, "Kd": 1.0}
    plain, lagged = runner(pid("c", **only_d)), runner(pid("c", **only_d, filter_time=0.3))
    expected, before = 0.0, 0.0
    for k in range(20):
        e = math.sin(0.7 * k)
        d = plain(0.0, e)[0]
        assert d == pytest.approx((e - before) / 0.1 if k else 0.0)
        expected += 0.1 / 0.4 * (d - expected)
        assert lagged(0.0, e)[0] == pytest.approx(expected)
        before = e


@pytest.mark.parametrize("method", ["none", "conditional", "back-calculation"])
def test_anti_windup_recovers_from_a_blocked_axis(runner, method: str) -> None:
    """A step of 10 against a limit of 1 for 5 s, then the set-point returns: how many samples the command is late.

    Without protection I = 50 has to unwind: -2 + 3 (50 - 0.1 k) > -0.999 holds for k up to 496.
    """
    more = {"tracking_time": 0.2} if method == "back-calculation" else {}
    step = runner(pid("c", **{**ONE, "Kd": 0.0, "limit": 1.0}, anti_windup=method, **more))
    for _ in range(50):
        assert step(0.0, 10.0) == pytest.approx([1.0])
    late = sum(step(0.0, -1.0)[0] > -0.999 for _ in range(1000))
    assert late == {"none": 496, "conditional": 0, "back-calculation": 0}[method]


def test_back_calculation_by_hand(runner) -> None:
    """e = 1: I = 0.1, u = 2.3 before, 1 after the limit; I = 0.1 + 0.1 / (0.2 * 3) * (1 - 2.3)."""
    step = runner(pid("c", **{**ONE, "limit": 1.0}, anti_windup="back-calculation", tracking_time=0.2))
    step(0.0, 1.0)
    assert step.state[0] == pytest.approx(0.1 - 1.3 / 6)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_set_point_that_is_not_finite_holds_the_command(runner, bad: float) -> None:
    step, clean = runner(pid("c", **ONE)), runner(pid("c", **ONE))
    assert step(0.0, bad) == pytest.approx([0.0])
    assert step(0.0, 1.0) == clean(0.0, 1.0)
    assert step(0.0, bad) == step(bad, 1.0) == pytest.approx([2.3])
    assert step(0.5, 1.0) == clean(0.5, 1.0)


def test_only_the_bad_axis_holds(runner) -> None:
    step = runner(pid("c", period=0.1, measured=("a", "b"), reference=("ra", "rb"), command=("ua", "ub"), unit="V",
                      Kp=1.0, Ki=0.0, Kd=0.0, limit=9.0))
    step([0, 0], [1, 1])
    assert step([0, 0], [math.nan, 3]).tolist() == [1, 3]


def test_closed_loop_against_the_continuous_response(runner) -> None:
    """PI on an integrator, q' = u: e'' + Kp e' + Ki e = 0; at 1 kHz within 0.5 %."""
    step = runner(pid("c", **{**ONE, "period": 1e-3, "Kp": 4.0, "Ki": 4.0, "Kd": 0.0}))
    q = 0.0
    for _ in range(1000):
        q += 1e-3 * step(q, 1.0)[0]
    assert 1 - q == pytest.approx((1 - 2) * math.exp(-2), rel=5e-3)


@pytest.mark.parametrize(
    ("change", "words"),
    [({"Kp": (1.0, 2.0)}, r"c\.Kp has 2 values"), ({"Ki": math.nan}, r"c\.Ki"), ({"limit": 0.0}, r"c\.limit"),
     ({"limit": -math.inf}, r"c\.limit"), ({"period": 0.0}, r"c\.period"), ({"filter_time": -1.0}, r"c\.filter_time"),
     ({"anti_windup": "magic"}, "conditional"), ({"anti_windup": "back-calculation"}, "tracking_time"),
     ({"tracking_time": 1.0}, "tracking_time"), ({"measured": ("a", "b")}, "as many"),
     ({"anti_windup": "back-calculation", "tracking_time": 0.01}, "tracking_time")],
)
def test_bad_parameters_are_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        pid("c", **{**ONE, **change})  # type: ignore[arg-type]


def test_states_are_named_and_start_at_rest() -> None:
    part = pid("c", **ONE)
    assert part.states.names[0] == "integral.0"
    assert not np.any(part.states.array("start"))
    assert part.holds.names == ["u"]
