"""Small problems with known answers."""

import casadi as ca

from gerotor.core.layout import Layout
from gerotor.core.ode import Block, Ode


def driven_pendulum() -> Ode:
    """Smooth, non-autonomous, with a state-dependent mass matrix and a first-order state, coupled both ways."""
    x = ca.SX.sym("x", 5)
    t = ca.SX.sym("t")
    q, v, z = x[0:2], x[2:4], x[4]
    mass = ca.blockcat([[3 + 2 * ca.cos(q[1]), 1 + ca.cos(q[1])], [1 + ca.cos(q[1]), 1.5]])
    force = ca.vertcat(
        ca.sin(q[1]) * v[1] * (2 * v[0] + v[1]) - 4 * ca.sin(q[0]) - 0.3 * v[0] + z,
        -ca.sin(q[1]) * v[0] ** 2 - 2 * ca.sin(q[0] + q[1]) - 0.2 * v[1] + ca.sin(2 * t),
    )
    blocks = (
        Block("lag", v=(4,), force=ca.vertcat(-2 * z + ca.cos(t) - 0.5 * v[0])),
        Block("arm", q=(0, 1), v=(2, 3), force=force, mass=mass),
    )
    empty = Layout()
    return Ode("pendulum", Layout.of(q1="rad", q2="rad", v1="rad/s", v2="rad/s", z="N m"), empty, empty, empty,
               blocks, x, ca.SX(0, 1), ca.SX(0, 1), t, ca.SX(0, 1))


def oscillator(frequency: float, damping: float = 0.0) -> Ode:
    """q'' + 2 d w q' + w^2 q = 0 as one second-order block."""
    x = ca.SX.sym("x", 2)
    force = -2 * damping * frequency * x[1] - frequency**2 * x[0]
    empty = Layout()
    return Ode("oscillator", Layout.of(q="m", v="m/s"), empty, empty, empty, (Block("m", q=(0,), v=(1,), force=force),),
               x, ca.SX(0, 1), ca.SX(0, 1), ca.SX.sym("t"), ca.SX(0, 1))


def decay(rate: float) -> Ode:
    """y' = -rate y."""
    x = ca.SX.sym("x", 1)
    empty = Layout()
    return Ode("decay", Layout.of(y="1"), empty, empty, empty, (Block("y", v=(0,), force=-rate * x),),
               x, ca.SX(0, 1), ca.SX(0, 1), ca.SX.sym("t"), ca.SX(0, 1))


def one_block() -> Ode:
    """The arm of `driven_pendulum` alone: one second-order block with a mass matrix, driven by time."""
    x, t = ca.SX.sym("x", 4), ca.SX.sym("t")
    q, v = x[0:2], x[2:4]
    mass = ca.blockcat([[3 + 2 * ca.cos(q[1]), 1 + ca.cos(q[1])], [1 + ca.cos(q[1]), 1.5]])
    force = ca.vertcat(
        ca.sin(q[1]) * v[1] * (2 * v[0] + v[1]) - 4 * ca.sin(q[0]) - 0.3 * v[0],
        -ca.sin(q[1]) * v[0] ** 2 - 2 * ca.sin(q[0] + q[1]) - 0.2 * v[1] + ca.sin(2 * t),
    )
    empty = Layout()
    return Ode("arm", Layout.of(q1="rad", q2="rad", v1="rad/s", v2="rad/s"), empty, empty, empty,
               (Block("arm", q=(0, 1), v=(2, 3), force=force, mass=mass),), x, ca.SX(0, 1), ca.SX(0, 1), t, ca.SX(0, 1))


def closed_valve(frequency: float) -> Ode:
    """A joint on a closed oil column, scaled: p' = -w v, v' = w p; the pressure block comes first."""
    x = ca.SX.sym("x", 3)
    blocks = (Block("oil", v=(0,), force=-frequency * x[2]), Block("joint", q=(1,), v=(2,), force=frequency * x[0]))
    empty = Layout()
    return Ode("closed", Layout.of(p="1", q="1", v="1"), empty, empty, empty, blocks,
               x, ca.SX(0, 1), ca.SX(0, 1), ca.SX.sym("t"), ca.SX(0, 1))


def turbulent_flow(rate: float) -> Ode:
    """y' = rate (1 - y |y|): flow through a sharp edge under a constant pressure drop, scaled; it settles at 1."""
    x = ca.SX.sym("x", 1)
    empty = Layout()
    force = rate * (1 - x * ca.sqrt(x * x + 1e-12))
    return Ode("flow", Layout.of(y="1"), empty, empty, empty, (Block("y", v=(0,), force=force),),
               x, ca.SX(0, 1), ca.SX(0, 1), ca.SX.sym("t"), ca.SX(0, 1))
