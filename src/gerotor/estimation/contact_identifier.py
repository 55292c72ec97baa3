"""Stiffness and damping of a contact, per axis, while it moves: a Kalman filter on increments.

Over `span` samples the force of a spring-damper changes by dF = k dl + c dv. Parameters wander at random:
  theta <- theta + W,  cov W = Q;   z = H theta + V,  var V = R                                 (1)
  P <- P + Q,  K = P H^T / (H P H^T + R),  theta <- theta + K (z - H theta),  P <- P - K H P     (2)
`span` = 1, fixed Q and two parameters are the source's filter [yu2018, eqs 23-26, indices and noises put right].
Beyond it, each on its own:
- excitation gate: (2) is done only where the expected signal is above the noise,
    H (theta theta^T + P) H^T > gate R                                                          (3)
  so that estimates neither drift nor lose confidence when nothing moves;
- alignment: force late by e against motion gives c - k e for c. So e becomes a third parameter,
    F = k (l - e l_e) + c (v - e v_e)                                                           (4)
  l_e, v_e what one unit of lateness takes away: velocity and acceleration for a transport delay, the same behind a lag
  for a longer lag. Told from damping as soon as the motion holds frequencies far apart (a small dither will do);
- adaptive Q: the mean square of the innovation over its expected variance, n, says whether the parameters move:
    Q = Q_low (Q_high / Q_low)^g,   g = (n - 1) / 2 held within 0 and 1, n averaged over `memory`        (5)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Expression, check_range
from gerotor.core.layout import Entry, Layout
from gerotor.errors import ParameterError


@dataclass(frozen=True)
class ContactIdentifier:
    """One axis. Inputs of `step`: l, v of the contact point, l_e, v_e of (4) and the force F, all of the same instant."""

    period: float
    noise: Expression
    drift: tuple[float, float]
    start: tuple[float, float] = (10.0, 10.0)
    deviation: tuple[float, float] = (1e5, 1e3)
    span: int = 1
    gate: float = 0.0
    aligned: bool = False
    delay_deviation: float = 3e-4
    fast_drift: tuple[float, float] | None = None
    memory: float = 0.05

    def __post_init__(self) -> None:
        check_range("identifier.period", self.period, "s", {"above": 0})
        check_range("identifier.noise", self.noise, "N", {"above": 0})
        check_range("identifier.drift", self.drift, "1", {"least": 0})
        check_range("identifier.deviation", self.deviation, "1", {"above": 0})
        check_range("identifier.gate", self.gate, "1", {"least": 0})
        check_range("identifier.memory", self.memory, "s", {"least": self.period})
        if not 1 <= self.span <= 1000:
            raise ParameterError(f"identifier.span = {self.span}: must be 1 to 1000 samples")
        if self.fast_drift is not None and not all(f > s > 0 for f, s in zip(self.fast_drift, self.drift, strict=True)):
            raise ParameterError("identifier.fast_drift: must be above drift, and drift above 0")

    @property
    def size(self) -> int:
        """Parameters: k, c and, if aligned, the delay."""
        return 3 if self.aligned else 2

    @property
    def states(self) -> Layout:
        names = ("k", "c", "delay")[:self.size]
        units = ("N/m", "N s/m", "s")
        out = [Entry(n, u, start=s) for n, u, s in zip(names, units, (*self.start, 0.0), strict=False)]
        variances = [s**2 for s in (*self.deviation, self.delay_deviation)]
        out += [Entry(f"P{i}{j}", start=variances[i] if i == j else 0.0) for i in range(self.size) for j in range(i + 1)]
        out += [Entry("mismatch", start=1.0), Entry("count")]
        return Layout((*out, *(Entry(f"{n}{i}") for i in range(self.span) for n in ("l", "v", "le", "ve", "F"))))

    def step(
        self, d: Expression, motion: tuple[Expression, ...], F: Expression, fresh: Expression | None = None,
    ) -> tuple[Expression, Expression]:
        """(d, (l, v, l_e, v_e), F) -> (d, theta). Where samples can fail to come, `fresh` is 1 for a new one, 0 for none
        (nothing changes), 2 for a new one after a gap (increments start again)."""
        n = self.size
        m = n * (n + 1) // 2
        theta, mismatch, count, past = d[:n], d[n + m], d[n + m + 1], d[n + m + 2:]
        P = ca.SX(n, n)
        for i in range(n):
            for j in range(i + 1):
                P[i, j] = P[j, i] = d[n + i * (i + 1) // 2 + j]
        now = ca.vertcat(*motion, F)
        change = now - past[5 * (self.span - 1):]
        H, expected = self._model(theta, change)
        R = 2 * self.noise**2
        innovation = change[4] - expected
        strong = expected**2 + H @ P @ H.T > self.gate * R  # (3)
        if fresh is not None:
            count = ca.if_else(fresh > 1.5, 0, count)
        ready = ca.logic_and(count >= self.span, strong)
        P_next = P + ca.diag(ready * self._drift(mismatch))  # (2)
        PH = P_next @ H.T
        variance = H @ PH + R
        K = ready * PH / variance  # (2)
        theta = theta + K * innovation  # (2)
        P_next = P_next - K @ PH.T  # (2)
        if self.aligned:
            theta[2] = ca.fmin(ca.fmax(theta[2], -4 * self.delay_deviation), 4 * self.delay_deviation)
        rate = 1 - math.exp(-self.period / self.memory)
        fit = mismatch + ready * rate * (ca.fmin(innovation**2 / variance, 25.0) - mismatch)
        lower = ca.vertcat(*[P_next[i, j] for i in range(n) for j in range(i + 1)])
        out = ca.vertcat(theta, lower, fit, ca.fmin(count + 1, self.span), now, past[:5 * (self.span - 1)])
        if fresh is not None:
            out = ca.if_else(fresh > 0.5, out, d)
        return out, out[:n]

    def _model(self, theta: Expression, change: Expression) -> tuple[Expression, Expression]:
        """Slope H and expected increment of force."""
        dl, dv, dle, dve = (change[i] for i in range(4))
        if not self.aligned:
            H = ca.horzcat(dl, dv)
            return H, H @ theta  # (1)
        k, c, e = theta[0], theta[1], theta[2]
        shifted, shifted_rate = dl - e * dle, dv - e * dve
        return ca.horzcat(shifted, shifted_rate, -k * dle - c * dve), k * shifted + c * shifted_rate  # (4)

    def _drift(self, mismatch: Expression) -> Expression:
        low = ca.vertcat(*self.drift)
        if self.fast_drift is not None:
            g = ca.fmin(ca.fmax((mismatch - 1) / 2, 0), 1)
            low = low * ca.exp(g * ca.log(ca.vertcat(*self.fast_drift) / low))  # (5)
        return ca.vertcat(low, 0.0) if self.aligned else low
