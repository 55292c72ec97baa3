"""Systematic gains of a sampled PID controller.

A sampled PID equals time-delay control, which cancels what it does not know by the last sample's
command and acceleration. With an inertia estimate m (command per acceleration) and sample time T,

    K_d = m / T,   K_p = 2 zeta omega K_d,   K_i = omega^2 K_d                            (1)

give the error nearly the dynamics e'' + 2 zeta omega e' + omega^2 e = 0 while omega T is small.
Source: P. H. Chang, J. H. Jung, IEEE Trans. Control Syst. Technol. 17(2), 2009, as used by [kim2021,
tables 4 and 6]: there omega = 8 rad/s, zeta = 2, that is s^2 + 32 s + 64, at T = 10 ms. With these
numbers a pure mass under `pid` is stable for estimates from 0.03 to 1.4 times its inertia.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gerotor.core.component import check_range


@dataclass(frozen=True)
class Gains:
    """Gains of `pid`, one an axis: pid(..., **vars(gains))."""

    Kp: tuple[float, ...]
    Ki: tuple[float, ...]
    Kd: tuple[float, ...]


def gain_rule(inertia: Sequence[float], *, period: float, frequency: float = 8.0, damping: float = 2.0) -> Gains:
    """Gains (1) from inertia estimates, one an axis, in command unit per error unit / s^2; frequency in rad/s."""
    m = tuple(float(v) for v in inertia)
    check_range("gain_rule.inertia", m, "1", {"above": 0})
    for key, value, unit in (("period", period, "s"), ("frequency", frequency, "rad/s"), ("damping", damping, "1")):
        check_range(f"gain_rule.{key}", float(value), unit, {"above": 0})
    Kd = tuple(v / period for v in m)  # (1)
    return Gains(
        Kp=tuple(2 * damping * frequency * k for k in Kd),  # (1)
        Ki=tuple(frequency**2 * k for k in Kd),  # (1)
        Kd=Kd,
    )
