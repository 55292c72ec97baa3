"""Rigid bodies drifting freely, each described in the frame of the one before it."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Component, Expression, Signal, Signals, param
from gerotor.errors import ParameterError
from gerotor.mechanics.roll_pitch_yaw import attitude, euler_rates

_AXES = ("x", "y", "z")


@dataclass(frozen=True, kw_only=True)
class FloatingBodies(Component):
    """A row of bodies without a fixed base; no absolute position or attitude is integrated.

    Body b after body a, all vectors of (1) in the axes of a, S from centroid to centroid:
      R' = R~w_ba,  w_ba = w_b - R^T w_a,  phi' = E(phi)^-1 w_ba                          (1)
      S' = V,  V' = R F_b / m_b - F_a / m_a - 2 w_a x V - w_a' x S - w_a x (w_a x S)      (2)
    and for every body, in its own axes and about its own centroid
      J w' = M - w x J w                                                                   (3)
    Source: [yu2018, eqs 1-7 and 13-17], with the accelerations turned into the rotating axes.
    Valid for relative pitch below 90 degrees (roll-pitch-yaw angles).
    """

    names: tuple[str, ...] = param("1", "names of the bodies, in order")
    masses: tuple[float, ...] = param("kg", "m, one a body", above=0)
    inertias: tuple[tuple[float, float, float], ...] = param("kg m^2", "J, principal moments, one triple a body", above=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not len(self.names) == len(self.masses) == len(self.inertias) > 0:
            counts = f"{len(self.names)} names, {len(self.masses)} masses, {len(self.inertias)} inertias"
            raise ParameterError(f"FloatingBodies: {counts}: give one of each per body")

    @property
    def states(self) -> dict[str, Signal]:  # type: ignore[override]
        """w of every body; S, V and phi of every body but the first."""
        out = {f"w_{n}": Signal("rad/s", _AXES) for n in self.names}
        for n in self.names[1:]:
            out[f"S_{n}"] = Signal("m", _AXES)
            out[f"V_{n}"] = Signal("m/s", _AXES)
            out[f"phi_{n}"] = Signal("rad", _AXES, lower=(-6.2, -1.5, -6.2), upper=(6.2, 1.5, 6.2))
        return out

    @property
    def inputs(self) -> dict[str, Signal]:  # type: ignore[override]
        """F and M on every body, in its own axes, M about its centroid."""
        forces = {f"F_{n}": Signal("N", _AXES) for n in self.names}
        return forces | {f"M_{n}": Signal("N m", _AXES) for n in self.names}

    def derivative(self, x: Signals, u: Signals) -> Signals:
        xs, us = vars(x), vars(u)
        rates: dict[str, Expression] = {}
        for n, inertia in zip(self.names, self.inertias, strict=True):
            J = ca.vertcat(*inertia)
            w = xs[f"w_{n}"]
            rates[f"w_{n}"] = (us[f"M_{n}"] - ca.cross(w, J * w)) / J  # (3)
        for k in range(1, len(self.names)):
            a, b = self.names[k - 1], self.names[k]
            S, V, phi, w, R = xs[f"S_{b}"], xs[f"V_{b}"], xs[f"phi_{b}"], xs[f"w_{a}"], attitude(xs[f"phi_{b}"])
            pull = R @ us[f"F_{b}"] / self.masses[k] - us[f"F_{a}"] / self.masses[k - 1]
            rates[f"S_{b}"] = V
            rates[f"V_{b}"] = pull - 2 * ca.cross(w, V) - ca.cross(rates[f"w_{a}"], S) - ca.cross(w, ca.cross(w, S))  # (2)
            rates[f"phi_{b}"] = euler_rates(phi, xs[f"w_{b}"] - R.T @ w)  # (1)
        return Signals(**rates)
