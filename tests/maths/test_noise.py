"""The generator against its published check value, and the moments of what it gives."""

import casadi as ca
import numpy as np
from scipy import stats

from gerotor.maths.noise import normal, seed_state, uniform


def test_ten_thousandth_number_is_the_published_one():
    """Park and Miller: starting from 1, the 10,000th state is 1043618065."""
    s = ca.SX.sym("s")
    step = ca.Function("u", [s], [uniform(s)[0]]).mapaccum(10000)
    assert float(step(1.0)[-1]) == 1043618065


def test_normal_numbers_are_normal():
    s = ca.SX.sym("s")
    state, values = normal(s, 6)
    step = ca.Function("n", [s], [state, values]).mapaccum(4000)
    sample = np.asarray(step(seed_state(7))[1]).ravel()
    assert stats.kstest(sample, "norm").pvalue > 1e-3
    assert abs(np.corrcoef(sample[:-1], sample[1:])[0, 1]) < 0.02


def test_every_seed_starts_somewhere_else():
    states = {seed_state(k) for k in range(-500, 500)}
    assert len(states) == 1000
    assert all(0 < s < 2147483647 for s in states)
