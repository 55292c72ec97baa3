import casadi as ca
import numpy as np
import pytest
from scipy.optimize import brentq

from gerotor.hydraulics.motor_network import MotorNetwork, quadratic_root


def solver() -> ca.Function:
    p = [ca.SX.sym(n) for n in ("p01", "p02", "pc", "R", "L", "Rex", "s", "f", "P")]
    network = MotorNetwork(*p[:6])
    y = network.solve(*p[6:])
    return ca.Function("n", p, [y, *network.ports(y), *network.flows(y)])


def draws(n: int) -> np.ndarray:
    """Any sources, nine decades of orifice, turning or held."""
    rng = np.random.default_rng(1)
    high, low = rng.choice([160e5, 2e5, 0.0, 350e5], n), rng.choice([0.0, 2e5, 5e5], n)
    swap, turning = rng.random(n) < 0.5, rng.random(n) < 0.5
    return np.stack([
        np.where(swap, high, low), np.where(swap, low, high), rng.choice([0.0, 1e5], n),
        10 ** rng.uniform(11, 20, n), 10 ** rng.uniform(6, 9.5, n), 10 ** rng.uniform(10.5, 14, n),
        np.where(turning, 10 ** rng.uniform(10, 13, n), 0), np.where(turning, rng.normal(size=n) * 2e-3, 0),
        np.where(turning, 0, rng.normal(size=n) * 10 ** rng.uniform(3, 7.3, n)),
    ])


def test_all_balances_hold_to_round_off() -> None:
    x = draws(20_000)
    p01, p02, pc, R, L, Rex, s, f, P = x
    y, pe, pf, Q1, Q2 = (np.asarray(v).ravel() for v in solver().map(x.shape[1])(*[v[None] for v in x]))
    size = np.abs(p01) + np.abs(p02) + np.abs(P) + s * np.abs(f) + 1
    assert np.max(np.abs(pe - pf - s * (y - f) - P) / size) < 1e-10
    assert np.quantile(np.abs(pe - pf - s * (y - f) - P) / size, 0.999) < 1e-14
    for balance in (Q1 - y - (pe - pc) / Rex, Q2 - y + (pf - pc) / Rex):
        assert np.max(np.abs(balance) / (np.abs(y) + size / Rex)) < 1e-10
    assert np.max(np.abs(p01 - pe - L * Q1 - R * Q1 * np.abs(Q1)) / size) < 1e-13


def test_root_agrees_with_bracketing() -> None:
    solve = solver()
    for x in draws(40).T:
        p01, p02, pc, R, L, Rex, s, f, P = x
        a, b = R / Rex, 1 + L / Rex

        def excess(y: float) -> float:
            z1, z2 = y + (p01 - pc) / Rex, y - (p02 - pc) / Rex  # noqa: B023
            q1, q2 = (2 * z / (b + np.sqrt(b * b + 4 * a * abs(z))) for z in (z1, z2))  # noqa: B023
            return p01 - L * q1 - R * q1 * abs(q1) - p02 - L * q2 - R * q2 * abs(q2) - s * (y - f) - P  # noqa: B023

        root = brentq(excess, -10, 10, xtol=1e-18, rtol=1e-14, maxiter=500)
        assert float(solve(*x)[0]) == pytest.approx(root, rel=1e-7, abs=1e-13)


def test_quadratic_root() -> None:
    """3 Q |Q| + 2 Q = 5 at Q = 1, odd."""
    assert float(quadratic_root(3, 2, 5)) == pytest.approx(1)
    assert float(quadratic_root(3, 2, -5)) == pytest.approx(-1)
