"""A motor's ports fed through orifices and lines without storage, with leakage: one root, found to round-off.

y is the flow from port e to port f, through the motor and its internal leak together:

    Q1 = y + (pe - pc) / R_ex,   Q2 = y - (pf - pc) / R_ex                                (1)
    pe = p01 - L Q1 - R Q1 |Q1|,   pf = p02 + L Q2 + R Q2 |Q2|                             (2)

(1) with (2) is a quadratic for each of Q1, Q2, solved by

    a Q |Q| + b Q = z   ->   Q = 2 z / (b + sqrt(b^2 + 4 a |z|))                           (3)
    a = R / R_ex,  b = 1 + L / R_ex,  z1 = y + (p01 - pc) / R_ex,  z2 = y - (p02 - pc) / R_ex

What is left is one equation that falls strictly with y,

    pe - pf - s (y - f) - P = 0                                                            (4)

s = R_in, f = D w, P = 0 for a turning motor; s = 0 and P = tau / D for one that holds a torque.
With both orifices at the mean of the sources (4) is a quadratic: that is the start. Newton's method
then needs 5 steps to round-off for R from 1e11 to 1e20, R_ex from 3e10 to 1e14, any sources and
flows, which a test goes through; it gets 6.
Source: [papadopoulos2002, figs. 2, 6 and sec. 4]; the reduction to one root is ours.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Expression

ITERATIONS = 6


@dataclass(frozen=True)
class MotorNetwork:
    """Sources p01, p02, case pc; orifice R, line L, external leak R_ex, the same on both sides."""

    p01: Expression
    p02: Expression
    pc: Expression
    R: Expression
    L: Expression
    R_ex: Expression

    def flows(self, y: Expression) -> tuple[Expression, Expression]:
        """Q1, Q2 of (1), (2) at a through flow y."""
        a, b = self.R / self.R_ex, 1 + self.L / self.R_ex
        return (
            quadratic_root(a, b, y + (self.p01 - self.pc) / self.R_ex),
            quadratic_root(a, b, y - (self.p02 - self.pc) / self.R_ex),
        )

    def ports(self, y: Expression) -> tuple[Expression, Expression]:
        """pe, pf of (2)."""
        Q1, Q2 = self.flows(y)
        return (
            self.p01 - self.L * Q1 - self.R * Q1 * ca.fabs(Q1),
            self.p02 + self.L * Q2 + self.R * Q2 * ca.fabs(Q2),
        )

    def solve(self, s: Expression, f: Expression, P: Expression) -> Expression:
        """y of (4)."""
        a, b = self.R / self.R_ex, 1 + self.L / self.R_ex
        mean = (self.p02 - self.p01) / (2 * self.R_ex)
        Q = quadratic_root(2 * self.R + s * a, 2 * self.L + s * b, self.p01 - self.p02 - P - s * (mean - f))
        y = mean + b * Q + a * Q * ca.fabs(Q)
        for _ in range(ITERATIONS):
            Q1, Q2 = self.flows(y)
            pe, pf = self.ports(y)
            slope = s + sum((self.L + 2 * self.R * ca.fabs(q)) / (b + 2 * a * ca.fabs(q)) for q in (Q1, Q2))
            y = y + (pe - pf - s * (y - f) - P) / slope  # (4)
        return y


def quadratic_root(a: Expression, b: Expression, z: Expression) -> Expression:
    """Q of (3), for a, b > 0."""
    return 2 * z / (b + ca.sqrt(b * b + 4 * a * ca.fabs(z)))  # (3)
