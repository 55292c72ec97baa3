"""Hardware in the loop: a physical spring-damper contact behind a late interface, for any machine.

The machine computes positions s and velocities v of its contact axes and takes their forces. In between stand
  s_act, v_act = s, v behind the interface's channel                                              (1)
  F = sign (k (s_act - rest) + c v_act) + noise        the physical part, or its stand-in          (2)
  F + sign (k^ (s - s_act) + c^ (v - v_act))           what the machine gets when compensated     (3)
`margins` answers before anything runs: with the machine linear about its start, the loop through (1) is a delay
eigenvalue problem [gerotor.reduction.delay_margin], and each mode has its critical delay.
Source: (3) as in [yu2018, eqs 27-31], per axis.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from gerotor.core.component import Expression, check_range
from gerotor.core.layout import Entry, Layout
from gerotor.core.ode import Ode
from gerotor.core.sampled import Sampled
from gerotor.errors import InputError, ParameterError, unknown
from gerotor.estimation.contact_identifier import ContactIdentifier
from gerotor.reduction.delay_margin import DelayLoop, Mode, channel
from gerotor.sensors.channel import Channel
from gerotor.sensors.force_torque import Noise

_DELAY = "interface.delay"


@dataclass(frozen=True)
class Axis:
    """One direction of contact: paths of the machine's force input, position and velocity, and the physical spring-damper."""

    name: str
    force: str
    position: str
    velocity: str
    stiffness: float
    damping: float
    rest: float = 0.0
    sign: int = -1

    def __post_init__(self) -> None:
        check_range(f"axes.{self.name}.stiffness", self.stiffness, "N/m", {"least": 0})
        check_range(f"axes.{self.name}.damping", self.damping, "N s/m", {"least": 0})
        check_range(f"axes.{self.name}.rest", self.rest, "m", {})
        if self.sign not in (-1, 1):
            raise ParameterError(f"axes.{self.name}.sign = {self.sign}: must be 1 or -1")


@dataclass(frozen=True)
class Interface:
    """How the physical part is reached: `kind` transport, lag1, lag2, lag3 or hold, `delay` its size, then jitter and loss.

    With kind "hold" the physical part moves only once a delay, as a slower controller would have it.
    """

    period: float
    delay: float
    kind: str = "transport"
    jitter: float = 0.0
    loss: float = 0.0
    noise: float = 0.0
    seed: int = 1

    def __post_init__(self) -> None:
        channel(self.kind)
        check_range("interface.period", self.period, "s", {"above": 0})
        check_range("interface.delay", self.delay, "s", {"least": 0, "most": 10})
        check_range("interface.noise", self.noise, "N", {"least": 0})
        self.channel(1)

    @property
    def hold_every(self) -> int:
        """Periods between two updates of the physical part."""
        return max(1, round(self.delay / self.period)) if self.kind == "hold" else 1

    def channel(self, size: int, delay: Expression | None = None) -> Channel:
        """The sampled path of `size` signals; a transport delay may be an expression, at most this interface's own."""
        if delay is not None:
            return Channel(size, self.period, delay=delay, longest=self.delay, jitter=self.jitter, loss=self.loss, seed=self.seed)
        lag = self.delay if self.kind.startswith("lag") else 0.0
        order = int(self.kind[-1]) if lag else 1
        delay = self.delay if self.kind == "transport" else 0.0
        return Channel(size, self.period, lag=lag, order=order, delay=delay, jitter=self.jitter, loss=self.loss, seed=self.seed)


@dataclass(frozen=True, eq=False)
class HilLoop:
    """A machine, its contact axes, the interface, and (for compensation) an identifier for each axis.

    A run begins at `start`; the loop is made linear `about` these states, default the same. With `tunable` a transport delay
    becomes the parameter "interface.delay" of `machine`, up to the interface's own: one compiled loop serves a whole sweep.
    """

    ode: Ode
    axes: Sequence[Axis]
    interface: Interface
    identifier: ContactIdentifier | None = None
    start: Mapping[str, float] = field(default_factory=dict)
    parameters: Mapping[str, float] = field(default_factory=dict)
    about: Mapping[str, float] | None = None
    tunable: bool = False

    def __post_init__(self) -> None:
        if not self.axes:
            raise InputError("axes: give at least one direction of contact")
        for axis in self.axes:
            if axis.force not in self.ode.inputs:
                raise InputError(f"axes.{axis.name}.force: {unknown('input', axis.force, self.ode.inputs.names)}")
            for path in (axis.position, axis.velocity):
                self.ode.signal(path)
        if self.tunable and not (self.interface.kind == "transport" and self.interface.delay > 0):
            raise InputError("interface: only a transport delay above 0 can be made tunable")

    @cached_property
    def machine(self) -> Ode:
        """The Ode to run with `sampled`."""
        if not self.tunable:
            return self.ode
        entry = Entry(_DELAY, "s", lower=0.0, upper=self.interface.delay, start=self.interface.delay)
        symbol = ca.SX.sym(_DELAY)
        return replace(self.ode, parameters=Layout((*self.ode.parameters.entries, entry)), p=ca.vertcat(self.ode.p, symbol))

    def linear(self, *, sampled: bool = True) -> DelayLoop:
        """The loop made linear by automatic differentiation; `sampled` counts the interface's hold too."""
        ode = self.ode
        u = [ode.inputs.index(a.force) for a in self.axes]
        pull = [a.stiffness * ode.signal(a.position) + a.damping * ode.signal(a.velocity) for a in self.axes]
        force = ca.vertcat(*[a.sign * f for a, f in zip(self.axes, pull, strict=True)])
        f = ode.function("linear", ca.jacobian(ode.rate, ode.x), ca.jacobian(ode.rate, ode.u), ca.jacobian(force, ode.x))
        x0 = ode.states.pack(self.start if self.about is None else self.about)
        p0 = ode.parameters.pack(self.parameters)
        A, B, C = (np.asarray(ca.densify(m)) for m in f(x0, ode.inputs.array("start"), p0, 0.0))
        kind = channel(self.interface.kind)
        return DelayLoop(A, B[:, u], C, kind.sampled(self.interface.period) if sampled else kind)

    def margins(self, longest: float = 0.5) -> list[Mode]:
        """Every oscillating mode with its critical delay; compare with the interface's own by `mode.margin(delay)`."""
        return self.linear().modes(longest)

    def sampled(self) -> Sampled:
        """The interface, the stand-in of the physical part and the compensation, as one part of a compiled run."""
        holds = [Entry(a.force, "N") for a in self.axes]
        if self.identifier is not None:
            for kind, unit in (("stiffness", "N/m"), ("damping", "N s/m")):
                holds += [Entry(f"{kind}.{a.name}", unit) for a in self.axes]
        reads = (*self._motion, *([_DELAY] if self.tunable else []))
        return Sampled("interface", self.interface.period, reads=reads, holds=Layout(tuple(holds)), states=self._states,
                       update=self._update)

    def discrete_start(self) -> NDArray[np.float64]:
        """Discrete states with the channel full of the machine's start."""
        motion = self.ode.function("motion", *[self.ode.signal(p) for p in self._motion])
        x0, p0 = self.ode.states.pack(self.start), self.ode.parameters.pack(self.parameters)
        values = [float(v) for v in motion(x0, self.ode.inputs.array("start"), p0, 0.0)]
        d = self._states.array("start")
        path = self.interface.channel(2 * len(self.axes)).start(values)
        d[:len(path)] = path
        return d

    @property
    def _motion(self) -> list[str]:
        return [a.position for a in self.axes] + [a.velocity for a in self.axes]

    @property
    def _blocks(self) -> dict[str, Layout]:
        n = len(self.axes)
        blocks = {"channel": self.interface.channel(2 * n).states, "noise": Noise((1.0,) * n, self.interface.seed).states,
                  "count": Layout((Entry("count"),)), "last": Layout(tuple(Entry(f"{k}") for k in range(2 * n)))}
        return blocks | ({} if self.identifier is None else {f"identifier.{a.name}": self.identifier.states for a in self.axes})

    @property
    def _states(self) -> Layout:
        return Layout(tuple(Entry(f"{b}.{e.name}", e.unit, start=e.start) for b, layout in self._blocks.items() for e in layout))

    def _update(self, d: Expression, r: Expression, t: Expression) -> tuple[Expression, Expression]:
        n, old, position = len(self.axes), {}, 0
        for name, layout in self._blocks.items():
            old[name] = d[position:position + len(layout)]
            position += len(layout)
        new: dict[str, Any] = {}
        path = self.interface.channel(2 * n, r[2 * n] if self.tunable else None)
        new["channel"], late = path.step(old["channel"], r[:2 * n])  # (1)
        every = self.interface.hold_every
        new["count"] = ca.fmod(old["count"] + 1, every)
        late = late if every == 1 else ca.if_else(old["count"] == 0, late, old["last"])
        new["last"] = late
        keys = ("sign", "stiffness", "damping", "rest")
        sign, k, c, rest = (ca.DM([float(getattr(a, key)) for a in self.axes]) for key in keys)
        F = sign * (k * (late[:n] - rest) + c * late[n:])
        new["noise"], F = Noise((self.interface.noise,) * n, self.interface.seed).step(old["noise"], F)  # (2)
        if self.identifier is None:
            return ca.vertcat(*[new[name] for name in self._blocks]), F
        found = []
        for j, a in enumerate(self.axes):
            motion = (late[j] - a.rest, late[n + j], ca.SX(0), ca.SX(0))
            new[f"identifier.{a.name}"], theta = self.identifier.step(old[f"identifier.{a.name}"], motion, a.sign * F[j])
            found.append(theta)
        k_hat, c_hat = (ca.vertcat(*[theta[j] for theta in found]) for j in range(2))
        F = F + sign * (k_hat * (r[:n] - late[:n]) + c_hat * (r[n:2 * n] - late[n:]))  # (3)
        return ca.vertcat(*[new[name] for name in self._blocks]), ca.vertcat(F, k_hat, c_hat)
