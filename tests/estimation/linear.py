"""Random linear models as an Ode."""

import casadi as ca
import numpy as np

from gerotor.core.layout import Entry, Layout
from gerotor.core.ode import Block, Ode


def layout(prefix: str, size: int) -> Layout:
    return Layout(tuple(Entry(f"{prefix}{k}") for k in range(size)))


def linear(seed: int, n: int = 4, m: int = 2, nu: int = 1) -> Ode:
    """x' = A x + B u, y = C x with random matrices, A stable."""
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(n, n))
    a -= (np.linalg.eigvals(a).real.max() + 0.3) * np.eye(n)
    x, u = ca.SX.sym("x", n), ca.SX.sym("u", nu)
    block = Block("b", tuple(range(n)), ca.DM(a) @ x + ca.DM(rng.normal(size=(n, nu))) @ u)
    return Ode("linear", layout("x", n), layout("u", nu), Layout(), layout("y", m), (block,), x, u, ca.SX(0, 1),
               ca.SX.sym("t"), ca.DM(rng.normal(size=(m, n))) @ x)


def oscillator() -> Ode:
    """q' = v, v' = -k q - 0.4 v + u with unknown k, y = q."""
    x, u, k = ca.SX.sym("x", 2), ca.SX.sym("u"), ca.SX.sym("k")
    block = Block("b", (1,), -k * x[0] - 0.4 * x[1] + u, q=(0,))
    parameters = Layout((Entry("k", "1/s^2", start=4.0),))
    states = Layout((Entry("q", "m"), Entry("v", "m/s")))
    return Ode("oscillator", states, layout("u", 1), parameters, layout("y", 1), (block,), x, u, k, ca.SX.sym("t"), x[0])


def bent() -> Ode:
    """A resting angle q and its length y0 = 2 cos(q / 2), as a rod sees a crank."""
    q = ca.SX.sym("q")
    return Ode("bent", Layout((Entry("q", "rad"),)), Layout(), Layout(), layout("y", 1), (Block("b", (0,), ca.SX(1, 1)),), q,
               ca.SX(0, 1), ca.SX(0, 1), ca.SX.sym("t"), 2 * ca.cos(q / 2))
