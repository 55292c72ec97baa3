"""Single cases of the study; the five-seed runs belong to `gerotor study valve-curve`."""

import numpy as np
import pytest

from gerotor.studies import find_study
from gerotor.studies.base import Watch
from gerotor.studies.valve_curve.faults import find_faults
from gerotor.studies.valve_curve.twin import ALIKE, PRINTED, QUIET, SITES, STATES, TUNED, Twin


def test_is_found() -> None:
    assert find_study("valve-curve").source == "[khadim2021]"


@pytest.mark.parametrize("points", [3, 4, 5, 6])
def test_size_of_the_augmented_state(points: int) -> None:
    assert Twin(points).filter(TUNED).model.size == 7 + 4 * (points - 2)


def test_slopes_of_the_four_bar_against_differences() -> None:
    twin = Twin(6)
    model = twin.filter(TUNED).model
    f = model.functions()["predict"]
    ode, u = twin.ode, 0.63
    x, p = ode.states.pack(twin.real_start | {"crank.spool.x": 0.6, "arm.v.crank": -0.05}), ode.parameters.pack(twin.truth(2))
    _, A, B = f(x, u, p, 0.0)
    exact = np.hstack([np.array(A), np.array(B)])
    z = np.concatenate([x[model.states], p[model.parameters]])
    scale = np.array([1.0, 1.0, 1e6, 1e6, 1e6, 1e9, 1.0, *[1.0] * 16])

    def moved(z):
        y, r = x.copy(), p.copy()
        y[model.states], r[model.parameters] = z[:5], z[5:]
        return np.array(f(y, u, r, 0.0)[0]).ravel()[model.states]

    for j in range(len(z)):
        e = np.zeros(len(z))
        e[j] = 1e-5 * scale[j]
        column = (moved(z + e) - moved(z - e)) / 2e-5 / scale[:5]
        expected = exact[:, j] * scale[j] / scale[:5]
        np.testing.assert_allclose(column, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max() + 1e-9, err_msg=model.names[j])


def test_three_points() -> None:
    twin, curve = Twin(3), 2
    real = twin.real(curve)
    for tuning, limit in ((TUNED, 1.0), (QUIET, 0.1), (ALIKE, 1.0), (PRINTED, 2.0)):
        found = twin.run(twin.filter(tuning), real, tuning, 0)
        assert twin.error(found, twin.truth(curve), "a") < limit
    shares = [found.coverage(n, real[n], after=0.01) for n in STATES]
    assert min(shares) >= 0.9


def test_straight_pieces_have_kinks() -> None:
    inner = (0.06, 0.16, 0.52, 0.85)
    bends = [np.abs(np.diff(Twin(6, order).curve(inner), 2)).max() for order in (2, 3)]
    assert bends[0] > 3 * bends[1]
    assert Twin(6, 2).curve(inner)[::40] == pytest.approx([0, *inner, 0.95])
    assert list(SITES[6]) == pytest.approx(np.linspace(0, 1, 6))


def test_leak_is_found_and_a_healthy_machine_is_left_alone() -> None:
    healthy, leaking = find_faults(Watch(), ("healthy", "internal leak"))
    assert healthy.seen == "nothing unusual"
    assert leaking.leak == pytest.approx(1e-11, rel=0.02)
    assert "leak" in leaking.largest
