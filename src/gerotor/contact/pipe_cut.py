"""Circular saw cutting a pipe: force and moment on the tool.

The cutting plane (y, z) is square to the pipe's axis x; angles run from y to z. psi, theta_in and
theta_out are the arc of saw/pipe contact (arc.py), theta_n = 2 pi n / N + s omega t the tooth angles.
Teeth with theta_in <= |theta_n - psi| < theta_out are in the wall. With a = theta_n - theta_f, measured
from the feed direction, each of them takes

    h = 2 pi v_f / (omega N) max(cos a, 0),   F_t = k_t W h,   F_n = k_n W h               (1)

k_t, k_n: material.py. On the tool act, along the feed and across it,

    F_along  = sum( s F_t sin a - F_n cos a)                                               (2)
    F_across = sum(-s F_t cos a - F_n sin a)                                               (3)
    M = -s R sum F_t,   P = omega R sum F_t                                                (4)

Source: [kim2021, eq. 6 to 11], corrected: the chip is the feed projected on the radius, so cos and not
sin of the angle from the feed (only then is the saw's work the specific energy k_t times the volume
removed), and both force components resist. (4) is not in the source. The whole is scaled by the input
`gate`, 1 in fresh material (kerf.py), and is piecewise constant in the position: an implicit integrator
sees no stiffness from it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import casadi as ca

from gerotor.contact.arc import direction, half_angle
from gerotor.contact.material import Material
from gerotor.contact.teeth import ToothSums, leading, mean_sums, passing_sums, sums
from gerotor.core.component import Component, Expression, Signal, Signals, param, signals
from gerotor.errors import ParameterError


@dataclass(frozen=True, kw_only=True)
class PipeCut(Component):
    """A saw (centre c, velocity v) and a pipe at rest; inner radius 0 is a bar.

    With `feed_speed` None the chip follows the actual speed of the saw along the feed; forces then
    stop when the tool does. With `averaged` the teeth are spread evenly over the rim: a smooth force
    with the same mean. With `window` the force is the mean over the time from t to t + window, teeth passing,
    saw in place: what a step of that length needs to receive the right impulse (held_cut.py).
    """

    saw_radius: Expression = param("m", "R, to the tips of the teeth", above=0)
    teeth: int = param("1", "N, on the whole circumference", least=3)
    kerf_width: Expression = param("m", "W, width of the slot", above=0)
    saw_speed: Expression = param("rad/s", "omega, magnitude of the saw's rotation", above=0)
    sense: int = param("1", "s, +1: the saw turns from y to z, -1: against")
    pipe_y: Expression = param("m", "y of the pipe's centre")
    pipe_z: Expression = param("m", "z of the pipe's centre")
    outer_radius: Expression = param("m", "r_o, of the pipe", above=0)
    inner_radius: Expression = param("m", "r_i, of the pipe", least=0)
    feed_angle: Expression = param("rad", "theta_f, direction of feed, from y to z")
    feed_speed: Expression | None = param("m/s", "v_f, commanded; None: the actual speed along the feed", above=0)
    material: Material
    averaged: bool = False
    window: float = param("s", "time from now over which passing teeth are averaged; 0: this moment", least=0, default=0.0)

    inputs = signals(
        c=Signal("m", names=("y", "z")), v=Signal("m/s", names=("y", "z")), t="s", gate=Signal("1", start=1.0)
    )
    outputs = signals(F=Signal("N", names=("y", "z")), M="N*m", n="1", P="W")

    def check(self, path: str) -> None:
        super().check(path)
        self.material.check(f"{path}.material")
        if self.teeth != int(self.teeth):
            raise ParameterError(f"{path}.teeth = {self.teeth}: must be a whole number")
        if self.sense not in (1, -1):
            raise ParameterError(f"{path}.sense = {self.sense}: must be 1 (from y to z) or -1")
        radii = self.outer_radius, self.inner_radius
        if all(isinstance(r, float | int) for r in radii) and not radii[1] < radii[0]:
            raise ParameterError(f"{path}.inner_radius = {radii[1]:g} m: must be below the outer radius, {radii[0]:g} m")

    def output(self, x: Signals, u: Signals) -> Signals:
        y, z = ca.vertsplit(ca.SX(u.c))
        wall = self._teeth_in_wall(y, z, u.t)
        k_t, k_n = self.material.pressures
        chip = u.gate * self.kerf_width * 2 * math.pi * self._feed(u.v) / (self.saw_speed * self.teeth)  # (1): W h / cos a
        square, mixed = (wall.count + wall.cos2) / 2, wall.sin2 / 2  # sums of cos^2 a, sin a cos a
        along = chip * (self.sense * k_t * mixed - k_n * square)  # (2)
        across = chip * (-self.sense * k_t * square - k_n * mixed)  # (3)
        tangential = chip * k_t * wall.cos
        cos, sin = ca.cos(self.feed_angle), ca.sin(self.feed_angle)
        return Signals(
            F=ca.vertcat(along * cos - across * sin, along * sin + across * cos),
            M=-self.sense * self.saw_radius * tangential,  # (4)
            P=self.saw_speed * self.saw_radius * tangential,  # (4)
            n=u.gate * wall.count,
        )

    def _feed(self, v: Expression) -> Expression:
        if self.feed_speed is not None:
            return self.feed_speed
        return ca.fmax(v[0] * ca.cos(self.feed_angle) + v[1] * ca.sin(self.feed_angle), 0)

    def _teeth_in_wall(self, y: Expression, z: Expression, t: Expression) -> ToothSums:
        d, psi = direction(self.pipe_y - y, self.pipe_z - z, self.saw_radius)
        outer = half_angle(d, self.saw_radius, self.outer_radius)
        inner = half_angle(d, self.saw_radius, self.inner_radius)
        psi = psi - self.feed_angle
        phase = self.sense * self.saw_speed * t - self.feed_angle
        total = ToothSums(0, 0, 0, 0)
        for lower, upper in ((psi + inner, psi + outer), (psi - outer, psi - inner)):
            total += self._sums(*leading(lower, upper), phase)
        return total

    def _sums(self, lower: Expression, upper: Expression, phase: Expression) -> ToothSums:
        if self.averaged:
            return mean_sums(lower, upper, self.teeth)
        if self.window:
            return passing_sums(lower, upper, phase, self.sense * self.saw_speed * self.window, self.teeth)
        return sums(lower, upper, phase, self.teeth)

    def travel(self, start: tuple[float, float], length: float = math.inf) -> tuple[float, float]:
        """Where a straight feed from the saw centre `start` meets the pipe and leaves it, as distances travelled.

        Raises ParameterError if the saw never touches the pipe within `length`.
        """
        cos, sin = math.cos(self.feed_angle), math.sin(self.feed_angle)
        y, z = self.pipe_y - start[0], self.pipe_z - start[1]
        ahead, aside = y * cos + z * sin, abs(z * cos - y * sin)
        R, r = self.saw_radius, self.outer_radius
        if not aside < R + r:
            raise ParameterError(
                f"saw path passes the pipe at {aside:.6g} m: must be below {R + r:.6g} m, saw and pipe radius together"
            )
        entry = ahead - math.sqrt((R + r) ** 2 - aside**2)
        through = aside <= R - r
        leave = ahead - math.sqrt((R - r) ** 2 - aside**2) if through else ahead + math.sqrt(r**2 - (R - aside) ** 2)
        if leave <= 0 or entry >= length:
            raise ParameterError(
                f"saw path of {length:g} m never touches the pipe: contact would be from {entry:.6g} to {leave:.6g} m of travel"
            )
        return entry, leave
