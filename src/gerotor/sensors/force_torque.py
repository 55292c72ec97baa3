"""Force/torque sensor: amplifier lag in continuous time; noise, lead and matched lag where it is sampled."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np

from gerotor.core.component import Component, Expression, Signal, Signals, param, signals
from gerotor.core.layout import Entry, Layout
from gerotor.maths.noise import normal, seed_state

_SIX = ("fx", "fy", "fz", "mx", "my", "mz")
_UNITS = ("N",) * 3 + ("N m",) * 3


@dataclass(frozen=True, kw_only=True)
class ForceTorqueSensor(Component):
    """First-order lag of the amplifier on all six components:

      T s' = w - s                                                                        (1)
    Source: [yu2018, section IV]. Tared: the weight of what hangs on it does not count.
    """

    lag: float = param("s", "T, time constant of the amplifier", above=0)

    states = signals(s=Signal("N", _SIX, units=_UNITS))
    inputs = signals(w=Signal("N", _SIX, units=_UNITS))

    def derivative(self, x: Signals, u: Signals) -> Signals:
        return Signals(s=(u.w - x.s) * (1 / self.lag))  # (1)


@dataclass(frozen=True)
class Noise:
    """Adds white noise to samples; one deviation a component."""

    deviation: tuple[Expression, ...]
    seed: int = 1

    @property
    def states(self) -> Layout:
        return Layout((Entry("random", start=seed_state(self.seed)),))

    def step(self, d: Expression, u: Expression) -> tuple[Expression, Expression]:
        state, values = normal(d, len(self.deviation))
        return state, u + ca.vertcat(*self.deviation) * values


@dataclass(frozen=True)
class Lag:
    """The sensor's lag once more, on samples of a signal that runs straight between them:

      T y' = u - y:   y <- y + p (u_0 - y) + q (u - u_0),   p = 1 - exp(-h/T),   q = 1 - p T / h          (2)
    Motion behind this filter is in step with force behind the sensor. Source: exact solution.
    """

    size: int
    lag: float
    period: float

    @property
    def states(self) -> Layout:
        return Layout(tuple(Entry(f"{name}.{k}") for name in ("y", "u") for k in range(self.size)))

    def step(self, d: Expression, u: Expression) -> tuple[Expression, Expression]:
        p = -float(np.expm1(-self.period / self.lag))
        y, before = d[:self.size], d[self.size:]
        y = y + p * (before - y) + (1 - p * self.lag / self.period) * (u - before)  # (2)
        return ca.vertcat(y, u), y


@dataclass(frozen=True)
class MatchedLag:
    """The sensor's lag on the motion of a point, so that force and motion are of the same instant:

      T y' = p - y,  p a cubic through place and velocity of both samples (exact),  y' = (p - y) / T,  y'' = (v - y') / T    (3)
    Unlike a lead on the force it adds no noise. Source: own.
    """

    size: int
    lag: float
    period: float

    @property
    def states(self) -> Layout:
        return Layout(tuple(Entry(f"{name}.{k}") for name in ("y", "p", "v") for k in range(self.size)))

    def step(self, d: Expression, p: Expression, v: Expression) -> tuple[Expression, tuple[Expression, Expression, Expression]]:
        """(d, place, velocity) -> (d, (place, velocity, acceleration)) behind the lag."""
        n, h = self.size, self.period
        y, p_old, v_old = d[:n], d[n:2 * n], d[2 * n:]
        nodes, weights = np.polynomial.legendre.leggauss(16)
        s = (nodes + 1) / 2
        kernel = weights / 2 * h / self.lag * np.exp(-(1 - s) * h / self.lag)
        shape = (2 * s**3 - 3 * s**2 + 1, h * (s**3 - 2 * s**2 + s), 3 * s**2 - 2 * s**3, h * (s**3 - s**2))
        w = [float(kernel @ g) for g in shape]
        y = float(np.exp(-h / self.lag)) * y + w[0] * p_old + w[1] * v_old + w[2] * p + w[3] * v  # (3)
        rate = (p - y) / self.lag  # (3)
        return ca.vertcat(y, p, v), (y, rate, (v - rate) / self.lag)


@dataclass(frozen=True)
class Lead:
    """Undoes the sensor's lag up to a shorter one:

      y = (T s + 1) / (a T s + 1) u = u / a + (1 - 1 / a) z,   z = u behind a lag a T     (4)
    Noise grows by up to 1 / a. Source: [yu2018, section IV]; the pure inverse is improper.
    """

    size: int
    lag: float
    period: float
    ratio: float = 0.2

    @property
    def _inner(self) -> Lag:
        return Lag(self.size, self.ratio * self.lag, self.period)

    @property
    def states(self) -> Layout:
        return self._inner.states

    def step(self, d: Expression, u: Expression) -> tuple[Expression, Expression]:
        d, z = self._inner.step(d, u)
        return d, u / self.ratio + (1 - 1 / self.ratio) * z  # (4)
