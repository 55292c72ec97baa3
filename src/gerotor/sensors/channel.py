"""A sampled signal path with everything that makes it late: lag, hold, transport delay, jitter, loss."""

from __future__ import annotations

import math
from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Expression, check_range
from gerotor.core.layout import Entry, Layout
from gerotor.errors import ParameterError
from gerotor.maths.noise import seed_state, uniform


@dataclass(frozen=True)
class Channel:
    """`size` signals sampled with period T; the stages stand in this order, those of value 0 are left out.

      lag of order n:    x_i <- x_i + (1 - exp(-n T / lag)) (x_(i-1) - x_i),  x_0 = u, i = 1..n       (1)
      delay and jitter:  y = x interpolated at t - delay - jitter U,  U uniform in (0, 1)              (2)
      loss:              with probability `loss` the last good value is kept                           (3)
    (1) is (1 + s lag / n)^-n for an input held over the sample. `lag` and `delay` may be expressions; then `longest` bounds
    the delay. Source: own; the models of delay named in [yu2018, section IV].
    """

    size: int
    period: float
    lag: Expression = 0.0
    order: int = 1
    delay: Expression = 0.0
    jitter: float = 0.0
    loss: float = 0.0
    longest: float = 0.0
    seed: int = 1

    def __post_init__(self) -> None:
        check_range("channel.period", self.period, "s", {"above": 0})
        for name in ("lag", "delay", "jitter", "longest"):
            check_range(f"channel.{name}", getattr(self, name), "s", {"least": 0})
        check_range("channel.loss", self.loss, "1", {"least": 0, "below": 1})
        if self.order not in (1, 2, 3):
            raise ParameterError(f"channel.order = {self.order}: must be 1, 2 or 3")
        if not isinstance(self.delay, int | float) and not self.longest:
            raise ParameterError("channel.longest = 0 s: give the longest delay where the delay is an expression")
        if self._rows > 20000:
            raise ParameterError(f"channel.delay spans {self._rows} samples: at most 20000; use a longer period")

    @property
    def _stages(self) -> int:
        return 0 if isinstance(self.lag, int | float) and self.lag == 0 else self.order

    @property
    def _rows(self) -> int:
        """Samples kept for (2)."""
        longest = max(self.longest, self.delay if isinstance(self.delay, int | float) else 0.0) + self.jitter
        return math.ceil(longest / self.period - 1e-9) + 1 if longest else 0

    @property
    def states(self) -> Layout:
        """Starts at zero; `start` gives the states of a channel at rest at a value."""
        names = [f"lag{i}.{k}" for i in range(self._stages) for k in range(self.size)]
        names += [f"past{i}.{k}" for i in range(self._rows) for k in range(self.size)]
        names += [f"last.{k}" for k in range(self.size)]
        return Layout((*(Entry(n) for n in names), Entry("random", start=seed_state(self.seed))))

    def start(self, value: list[float]) -> list[float]:
        """The states when `value` has been coming in for long."""
        return list(value) * (self._stages + self._rows + 1) + [seed_state(self.seed)]

    def step(self, d: Expression, u: Expression) -> tuple[Expression, Expression]:
        """(d, u) -> (d, y)."""
        n, random = self.size, d[-1]
        lags, x = [], u
        for i in range(self._stages):
            old = d[i * n:(i + 1) * n]
            x = old + (1 - ca.exp(-self.order * self.period / self.lag)) * (x - old)  # (1)
            lags.append(x)
        past, y = [], x
        if self._rows:
            first = self._stages * n
            past = [x] + [d[first + i * n:first + (i + 1) * n] for i in range(self._rows - 1)]
            random, u1 = uniform(random) if self.jitter else (random, 0.0)
            back = (self.delay + self.jitter * u1) / self.period
            y = sum(ca.fmax(0, 1 - ca.fabs(back - i)) * row for i, row in enumerate(past))  # (2)
        if self.loss:
            random, u2 = uniform(random)
            y = ca.if_else(u2 < self.loss, d[-1 - n:-1], y)  # (3)
        return ca.vertcat(*lags, *past, y, random), y
