"""Stability of a loop closed through a delay: eigenvalues, growth by mode, critical delay by mode.

A linear model whose outputs return to its inputs through a channel g with a delay-like parameter tau:
  x' = A x + B u,   u = g(s, tau) C x                                                         (1)
  N(s, tau) v = (s I - A - B g(s, tau) C) v = 0                                               (2)
(2) is a nonlinear eigenproblem. Each mode is followed from tau = 0, where it is an ordinary eigenvalue, by Newton's
method on (2) with v normalised; its critical tau is where the real part of s passes zero:
  [N  dN/ds v; c^H  0] (dv ; ds) = -(N v ; c^H v - 1)                                         (3)
Where modes coincide (3) is singular; then s is the fixed point of "eigenvalue of A + B g(s, tau) C nearest to s", by
Steffensen's method:
  s <- s - (f(s) - s)^2 / (f(f(s)) - 2 f(s) + s)                                              (4)
Channels: exp(-s tau), (1 + s tau / n)^-n for n = 1, 2, 3, and a sampler with hold of period tau.
Source: own derivation; the loop is the one of [yu2018, section III.D].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gerotor.errors import NoSolutionError, ParameterError, unknown

Complex = NDArray[np.complex128]


@dataclass(frozen=True)
class DelayChannel:
    """g(s, tau) and its derivative with respect to s."""

    name: str
    gain: Callable[[complex, float], complex]
    slope: Callable[[complex, float], complex]

    def after(self, lag: float) -> DelayChannel:
        """The same channel behind a first-order lag, for instance a sensor's."""
        return self._behind(f"a lag of {lag:g} s", lambda s: 1 / (1 + s * lag), lambda s: -lag / (1 + s * lag) ** 2)

    def sampled(self, period: float) -> DelayChannel:
        """The same channel behind a sampler with hold."""
        return self._behind(f"a hold of {period:g} s", lambda s: _hold(s * period), lambda s: period * _hold_slope(s * period))

    def _behind(self, name: str, gain: Callable[[complex], complex], slope: Callable[[complex], complex]) -> DelayChannel:
        return DelayChannel(
            f"{self.name} behind {name}",
            lambda s, tau: self.gain(s, tau) * gain(s),
            lambda s, tau: self.slope(s, tau) * gain(s) + self.gain(s, tau) * slope(s),
        )


def channel(kind: str) -> DelayChannel:
    """By name: transport, lag1, lag2, lag3, hold."""
    if kind == "transport":
        return DelayChannel(kind, lambda s, tau: np.exp(-s * tau), lambda s, tau: -tau * np.exp(-s * tau))
    if kind in ("lag1", "lag2", "lag3"):
        n = int(kind[-1])
        return DelayChannel(kind, lambda s, tau: (1 + s * tau / n) ** -n, lambda s, tau: -tau * (1 + s * tau / n) ** (-n - 1))
    if kind == "hold":
        return DelayChannel(kind, lambda s, tau: _hold(s * tau), lambda s, tau: tau * _hold_slope(s * tau))
    raise ParameterError(unknown("delay channel", kind, ["transport", "lag1", "lag2", "lag3", "hold"]))


def _hold(z: complex) -> complex:
    """(1 - exp(-z)) / z."""
    return complex(-np.expm1(-z) / z) if abs(z) > 1e-4 else 1 - z / 2 + z * z / 6


def _hold_slope(z: complex) -> complex:
    return complex((np.exp(-z) - _hold(z)) / z) if abs(z) > 1e-4 else -0.5 + z / 3


@dataclass(frozen=True)
class Mode:
    """One oscillating mode of the loop without delay, and the delay at which it goes unstable (inf: never found)."""

    frequency: float
    damping_ratio: float
    critical: float
    critical_frequency: float

    def margin(self, tau: float) -> float:
        """What is left of the allowance at a delay of tau."""
        return self.critical - tau


@dataclass(frozen=True)
class DelayLoop:
    """The loop (1)."""

    A: NDArray[np.float64]
    B: NDArray[np.float64]
    C: NDArray[np.float64]
    channel: DelayChannel

    def start(self, *, slowest: float = 1e-3) -> list[complex]:
        """Oscillating eigenvalues without delay, upper half plane, by frequency; slower ones (rad/s) are rigid motion."""
        values, vectors = np.linalg.eig(self.A + self.B @ self.C)
        starts = [(complex(s), v.astype(complex)) for s, v in zip(values, vectors.T, strict=True) if s.imag > slowest]
        return sorted((self._newton(s, v, 0.0)[0] for s, v in starts), key=abs)

    def follow(self, s: complex, taus: Any) -> list[complex]:
        """The eigenvalue that starts at s for tau = 0, at every value of `taus` (ascending)."""
        s, v = self._nearest(s, 0.0)
        path, before = [], 0.0
        for tau in np.asarray(taus, dtype=float):
            s, v = self._advance(s, v, before, float(tau))
            before = float(tau)
            path.append(s)
        return path

    def growth(self, tau: float) -> list[complex]:
        """Every oscillating mode at a delay of tau; the real part is its growth rate."""
        steps = np.linspace(0, tau, 9)[1:]
        return [self.follow(s, steps)[-1] for s in self.start()]

    def modes(self, longest: float = 1.0) -> list[Mode]:
        """All oscillating modes with their critical delay up to `longest` seconds."""
        return [self._mode(s, longest) for s in self.start()]

    def critical(self, longest: float = 1.0) -> Mode:
        """The mode that goes unstable first."""
        first: Mode | None = None
        for s in sorted(self.start(), key=abs, reverse=True):
            mode = self._mode(s, longest)
            if first is None or mode.critical < first.critical:
                first, longest = mode, min(longest, mode.critical)
        if first is None:
            raise NoSolutionError("the loop has no oscillating mode: nothing to report")
        return first

    def _mode(self, start: complex, longest: float) -> Mode:
        _, v = self._nearest(start, 0.0)
        s, tau, step = start, 0.0, min(longest, 0.02 / abs(start))
        while tau < longest:
            following = min(tau + step, longest)
            s_next, v_next = self._advance(s, v, tau, following)
            if s_next.real >= 0 > s.real:
                tau, s = self._bisect(s, v, tau, following)
                return Mode(abs(start) / (2 * np.pi), -start.real / abs(start), tau, s.imag / (2 * np.pi))
            s, v, tau = s_next, v_next, following
        return Mode(abs(start) / (2 * np.pi), -start.real / abs(start), np.inf, np.nan)

    def _bisect(self, s: complex, v: Complex, low: float, high: float) -> tuple[float, complex]:
        for _ in range(60):
            middle = (low + high) / 2
            s_middle, v_middle = self._newton(s, v, middle)
            if s_middle.real < 0:
                low, s, v = middle, s_middle, v_middle
            else:
                high = middle
        return high, s

    def _advance(self, s: complex, v: Complex, before: float, tau: float, depth: int = 0) -> tuple[complex, Complex]:
        s_new, v_new = self._newton(s, v, tau)
        if abs(s_new - s) > 0.1 * abs(s) and depth < 8:  # too far to be sure it is the same mode
            middle = (before + tau) / 2
            s, v = self._advance(s, v, before, middle, depth + 1)
            return self._advance(s, v, middle, tau, depth + 1)
        return s_new, v_new

    @np.errstate(over="ignore", invalid="ignore")
    def _newton(self, s: complex, v: Complex, tau: float) -> tuple[complex, Complex]:
        n = len(v)
        c = v.conj() / np.vdot(v, v)
        for _ in range(30):
            N = s * np.eye(n) - self.A - self.B @ self.C * self.channel.gain(s, tau)  # (2)
            slope = np.eye(n) - self.B @ self.C * self.channel.slope(s, tau)
            system = np.block([[N, (slope @ v)[:, None]], [c[None, :], np.zeros((1, 1))]])
            try:
                change = np.linalg.solve(system, -np.append(N @ v, c @ v - 1))  # (3)
            except np.linalg.LinAlgError:
                return self._steffensen(s, tau)
            v, s = v + change[:-1], s + complex(change[-1])
            if not max(abs(s.real), abs(s.imag)) < 1e100:
                raise NoSolutionError(f"a mode runs away at a delay of {tau:g} s: check its masses, stiffness, damping")
            if abs(change[-1]) < 1e-13 * (1 + abs(s)):
                return s, v
        return self._steffensen(s, tau)

    def _steffensen(self, s: complex, tau: float) -> tuple[complex, Complex]:
        for _ in range(30):
            one, v = self._nearest(s, tau)
            two, _ = self._nearest(one, tau)
            bend = two - 2 * one + s
            if abs(one - s) < 1e-12 * (1 + abs(s)) or bend == 0:
                return one, v
            s = s - (one - s) ** 2 / bend  # (4)
        raise NoSolutionError(f"mode near {s:.4g} 1/s at a delay of {tau:g} s: no eigenvalue found; try a shorter delay")

    def _nearest(self, s: complex, tau: float) -> tuple[complex, Complex]:
        values, vectors = np.linalg.eig(self.A + self.B @ self.C * self.channel.gain(s, tau))
        k = int(np.argmin(abs(values - s)))
        return complex(values[k]), vectors[:, k].astype(complex)
