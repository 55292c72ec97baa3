"""The rig's real-time computer, once a millisecond: where is the platform, what is the contact, how do the bodies move on.

  actual pose from leg lengths, motion of the contact point from leg rates [yu2018, eq. 22]                      (1)
  force and motion brought to the same instant: lead on the force (source) or the sensor's lag on the motion    (2)
  stiffness and damping per axis [eqs 23-26]                                                                    (3)
  wrench at the computed pose [eqs 27-36], held over the sample (source) or evaluated within it                 (4)
  bodies one step on; legs of the computed pose are commanded [eqs 18, 19]                          (5)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi as ca

from gerotor.control.force_compensation import compensate
from gerotor.core.component import Expression
from gerotor.core.layout import Entry, Layout
from gerotor.core.ode import Ode
from gerotor.core.sampled import Sampled
from gerotor.estimation.contact_identifier import ContactIdentifier
from gerotor.machines.docking_rig import parameters
from gerotor.machines.docking_rig.dynamics import computed_half
from gerotor.machines.docking_rig.parameters import AXES, PILOT, SETTINGS
from gerotor.machines.docking_rig.physical import geometry, origin, rod
from gerotor.machines.docking_rig.values import RigFile
from gerotor.mechanics.roll_pitch_yaw import attitude
from gerotor.mechanics.stewart import pose_rate
from gerotor.sensors.force_torque import Lead, MatchedLag, Noise

PERIOD = 1e-3
_LEGS = tuple(str(k + 1) for k in range(6))
_SIX = ("fx", "fy", "fz", "mx", "my", "mz")
_POSE = ("x", "y", "z", "roll", "pitch", "yaw")
_HERTZ = (31.0, 37.0, 43.0)
DITHER = 3e-4  # m, enough to tell the sensor's lag


def adaptive_identifier(rig: RigFile) -> ContactIdentifier:
    """Increments over five samples, a gate, the alignment estimated, the drift adapted."""
    noise = rig.sensor["force_noise"].si("N", "sensor.force_noise")
    return ContactIdentifier(PERIOD, noise, (300.0, 3e-3), span=5, gate=9.0, aligned=True, fast_drift=(1e6, 1e2))


@dataclass(frozen=True)
class Computer:
    """`matched` False is the source's way (lead on the force, wrench held); True keeps force and motion in step by the
    sensor's own lag on the motion and evaluates the wrench within the step. `identifier` serves each axis. `remote`: readings
    come over a link and may fail to; then the last wrench and its own place and velocity are carried to the computed pose."""

    rig: RigFile
    identifier: ContactIdentifier
    matched: bool
    remote: bool = False

    @cached_property
    def dynamics(self) -> Ode:
        return computed_half(self.rig)

    @cached_property
    def _blocks(self) -> dict[str, Layout]:
        lag = self.rig.sensor["lag"].si("s", "sensor.lag")
        ratio = self.rig.sensor["lead_ratio"].si("1", "sensor.lead_ratio")
        aligner = MatchedLag(3, lag, PERIOD).states + _again(lag) if self.matched else Lead(6, lag, PERIOD, ratio).states
        return {
            "bodies": self.dynamics.states, "pose": Layout(tuple(Entry(n) for n in _POSE)),
            "pose_rate": Layout(tuple(Entry(n) for n in _POSE)), "noise": Noise((1.0,) * 6).states,
            "align": aligner, **{f"contact.{a}": self.identifier.states for a in AXES},
            **({"slopes": self._slopes} if self.matched else {}),
            **({"seen": Layout(tuple(Entry(str(k)) for k in range(12)))} if self.remote else {}),
        }

    @property
    def _slopes(self) -> Layout:
        """Rates of the bodies at the last two samples."""
        return Layout(tuple(Entry(f"{k}.{e.name}") for k in (1, 2) for e in self.dynamics.states))

    @property
    def states(self) -> Layout:
        """Discrete state: bodies, last pose, noise, alignment, identifiers."""
        entries = []
        for block, layout in self._blocks.items():
            for e in layout:
                name = e.name if block == "bodies" else f"{block}.{e.name}"
                entries.append(Entry(name, e.unit, start=e.start))
        return Layout(tuple(entries))

    @property
    def holds(self) -> Layout:
        """Leg commands, and what is worth recording."""
        out = [Entry(f"r.{n}", "m") for n in _LEGS]
        out += [Entry(f"desired.{n}", u) for n, u in zip(_POSE, ("m",) * 3 + ("rad",) * 3, strict=True)]
        out += [Entry(f"actual.{n}", u) for n, u in zip(_POSE, ("m",) * 3 + ("rad",) * 3, strict=True)]
        for group, unit in (("stiffness", "N/m"), ("damping", "N s/m"), ("delay", "s"), ("force", "N"), ("moment", "N m")):
            out += [Entry(f"{group}.{a}", unit) for a in AXES]
        return Layout(tuple(out))

    @property
    def reads(self) -> tuple[str, ...]:
        legs = [f"platform.{signal}.{n}" for signal in ("l", "l_rate") for n in _LEGS]
        return (*legs, *(f"sensor.s.{n}" for n in _SIX), *SETTINGS.names, *parameters.names("dynamics"))

    def sampled(self) -> Sampled:
        """The part to run beside the physical half."""
        return Sampled("computer", PERIOD, reads=self.reads, holds=self.holds, states=self.states, update=self._update)

    def _update(self, d: Expression, r: Expression, t: Expression) -> tuple[Expression, Expression]:
        take = _slicer(d)
        old = {block: take(len(layout)) for block, layout in self._blocks.items()}
        read = _slicer(r)
        lengths, rates, wrench = read(6), read(6), read(6)
        setting = dict(zip(SETTINGS.names, ca.vertsplit(read(len(SETTINGS))), strict=True))
        p = read(len(parameters.names("dynamics")))
        mask = ca.vertcat(*[setting[f"axes.{a}"] for a in AXES])
        fresh: Expression = setting["fresh"]
        new: dict[str, Expression] = {}

        guess = old["pose"] + PERIOD * old["pose_rate"]
        new["pose"], new["pose_rate"], place, speed = self._actual(lengths, rates, guess)  # (1)
        spread = tuple(setting["noise.force"] for _ in AXES) + tuple(setting["noise.moment"] for _ in AXES)
        new["noise"], wrench = Noise(spread).step(old["noise"], wrench)
        wrench = ca.vertcat(mask, setting["axes.moment"] * ca.SX.ones(3)) * wrench
        if self.remote:
            old["align"] = ca.if_else(fresh > 1.5, self._settled(wrench, (place, speed)), old["align"])
        new["align"], wrench, p_act, v_act, p_e, v_e = self._align(old["align"], wrench, (place, speed))  # (2)
        found = []
        for j, a in enumerate(AXES):
            block = f"contact.{a}"
            motion = (p_act[j] - p[-3 + j] * t, v_act[j] - p[-3 + j], p_e[j] - p[-3 + j], v_e[j])  # seen from the rope's anchor
            new[block], theta = self.identifier.step(old[block], motion, wrench[j], fresh if self.remote else None)  # (3)
            found.append((theta[0], theta[1], theta[2] if self.identifier.aligned else ca.SX(0)))
        k, c, late = (mask * ca.vertcat(*column) for column in zip(*found, strict=True))
        if self.identifier.aligned:
            p_act, v_act = p_act - late * p_e, v_act - late * v_e
        if self.remote:
            there = fresh > 0.5
            new["seen"] = ca.if_else(there, ca.vertcat(wrench, p_act, v_act), old["seen"])
            wrench, p_act, v_act = new["seen"][:6], new["seen"][6:9], new["seen"][9:]
            for block in ("pose", "pose_rate", "align"):
                new[block] = ca.if_else(there, new[block], old[block])
        pilot = ca.vertcat(*[setting[n] for n in PILOT])
        advanced, used = self._advance(old, wrench, (p_act, v_act, k, c), p, (setting["compensate"], pilot))  # (4), (5)
        new |= advanced
        desired = self._pose(old["bodies"])
        shake = ca.vertcat(*[setting["dither"] * m * ca.sin(6.283185307179586 * f * t)
                             for f, m in zip(_HERTZ, ca.vertsplit(mask), strict=True)], 0, 0, 0)
        legs = geometry(self.rig).lengths(desired + shake)  # (5)
        holds = ca.vertcat(legs, desired, new["pose"], k, c, late, used)
        return ca.vertcat(*[new[block] for block in self._blocks]), holds

    def _actual(self, lengths: Expression, rates: Expression, guess: Expression) -> tuple[Expression, ...]:
        """Pose of the platform and its rate; place and velocity of the contact point seen from the end-effector's centroid."""
        pose, twist = geometry(self.rig).forward_step(lengths, guess, rates)
        arm = attitude(pose[3:]) @ ca.vertcat(*rod(self.rig))
        place, speed = pose[:3] + arm - ca.vertcat(*origin(self.rig)), twist[:3] + ca.cross(twist[3:], arm)
        return pose, pose_rate(pose, twist), place, speed

    def _align(self, d: Expression, wrench: Expression, motion: tuple[Expression, Expression]) -> tuple[Any, ...]:
        """State, wrench, place and velocity of the same instant, and what a longer lag of the sensor would take from them."""
        lag = self.rig.sensor["lag"].si("s", "sensor.lag")
        if self.matched:
            once, again = MatchedLag(3, lag, PERIOD), MatchedLag(3, lag, PERIOD)
            first, (p, v, a) = once.step(d[:len(once.states)], *motion)
            second, (p_e, v_e, _) = again.step(d[len(once.states):], v, a)
            return ca.vertcat(first, second), wrench, p, v, p_e, v_e
        d, wrench = Lead(6, lag, PERIOD, self.rig.sensor["lead_ratio"].si("1", "sensor.lead_ratio")).step(d, wrench)
        return d, wrench, *motion, ca.SX.zeros(3), ca.SX.zeros(3)

    def _settled(self, wrench: Expression, motion: tuple[Expression, Expression]) -> Expression:
        """State of the alignment as if the motion had gone on evenly for long: where to start again after a gap."""
        if not self.matched:
            return ca.vertcat(wrench, wrench)
        (place, speed), lag, still = motion, self.rig.sensor["lag"].si("s", "sensor.lag"), ca.SX.zeros(3)
        before = place - PERIOD * speed
        return ca.vertcat(before - lag * speed, before, speed, speed, speed, still)

    def _advance(
        self, old: dict[str, Expression], wrench: Expression, contact: tuple[Expression, ...], p: Expression,
        orders: tuple[Expression, Expression],
    ) -> tuple[dict[str, Expression], Expression]:
        """Bodies after one period, and the wrench at its start.

        Held wrench: Runge-Kutta of order 3. Wrench that goes with the computed motion: Adams-Bashforth of order 3. At 1 ms and
        4 Hz the error of either is far below the noise.
        """
        x, (p_act, v_act, k, c), (on, pilot) = old["bodies"], contact, orders
        here, v_here = self._motion(x, p)
        k, c = on * k, on * c
        F, M = wrench[:3], wrench[3:]
        used = ca.vertcat(*compensate(F, M, p_act=p_act, v_act=v_act, p_des=p_act + on * (here - p_act), v_des=v_here, k=k, c=c))
        f = self.dynamics.function("rate", self.dynamics.rate)
        if not self.matched:
            u = ca.vertcat(used, ca.SX.zeros(6), here, v_here, 0, pilot)
            return {"bodies": _step(lambda y: f(y, u, p, 0), x, PERIOD)}, used  # (4), (5)
        slope, n = f(x, ca.vertcat(F, M, k, c, p_act, v_act, on, pilot), p, 0), len(self.dynamics.states)  # (4)
        one, two = old["slopes"][:n], old["slopes"][n:]
        return {"bodies": x + PERIOD / 12 * (23 * slope - 16 * one + 5 * two), "slopes": ca.vertcat(slope, one)}, used  # (5)

    def _motion(self, x: Expression, p: Expression) -> tuple[Expression, Expression]:
        ode = self.dynamics
        point = ca.vertcat(*[ode.signal(f"point.{s}.{a}") for s in "pv" for a in AXES])
        both = ode.function("point", point)(x, ca.SX.zeros(len(ode.inputs)), p, 0)
        return both[:3], both[3:]

    def _pose(self, x: Expression) -> Expression:
        """Platform pose of the computed motion."""
        states = self.dynamics.states
        S, phi = (x[states.indices(f"bodies.{s}_craft.{a}" for a in AXES)] for s in ("S", "phi"))
        control = ca.vertcat(*self.rig.geometry["control_point"].vector("m", "geometry.control_point"))
        return ca.vertcat(S + attitude(phi) @ control + ca.vertcat(*origin(self.rig)), phi)


def _step(f: Callable[[Expression], Expression], x: Expression, h: float) -> Expression:
    """One Runge-Kutta step of order 3."""
    k1 = f(x)
    k2 = f(x + h / 2 * k1)
    k3 = f(x + h * (2 * k2 - k1))
    return x + h / 6 * (k1 + 4 * k2 + k3)


def _again(lag: float) -> Layout:
    """States of a second lag behind the first."""
    return Layout(tuple(Entry(f"again.{e.name}") for e in MatchedLag(3, lag, PERIOD).states))


def _slicer(vector: Expression) -> Callable[[int], Expression]:
    position = 0

    def take(count: int) -> Expression:
        nonlocal position
        position += count
        return vector[position - count:position]

    return take
