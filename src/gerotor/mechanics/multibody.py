"""Open tree of rigid bodies: joint forces in, motion out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import casadi as ca

from gerotor.core.component import Component, Expression, Signal, Signals, param
from gerotor.errors import WiringError
from gerotor.mechanics.inverse_dynamics import inverse_dynamics
from gerotor.mechanics.kinematics import position
from gerotor.mechanics.mass_matrix import mass_matrix
from gerotor.mechanics.tree import Tree
from gerotor.mechanics.wrench import generalised_force

WRENCH = Signal("N", names=("fx", "fy", "fz", "mx", "my", "mz"), units=("N",) * 3 + ("N*m",) * 3)


@dataclass(frozen=True, kw_only=True, eq=False)
class Multibody(Component):
    """A tree as a component.

    q' = v,   M(q) v' = tau + sum J'(f; n) - b(q, v)                                     (1)

    b: inverse dynamics at v' = 0 (Coriolis, centrifugal, gravity). Inputs: `tau`; `wrench_NAME`
    (force, then moment, base axes) for every frame in `wrenches`; `mass_NAME` for every payload in
    `loads`, whose mass may then change during a run. Outputs: the position of every frame in
    `positions`, under its name. `rotors`, where given, is a constant matrix added to M: inertia of
    drives behind coupled gears (drives.GearMatrix.reflected), in kg m^2. For
    closed chains see ClosedMultibody.
    """

    tree: Tree
    positions: tuple[str, ...] = ()
    wrenches: tuple[str, ...] = ()
    loads: tuple[str, ...] = ()
    rotors: Any = None
    margin: float = param(
        "1", "how far beyond its range a joint may go before a run stops, over the range", least=0, default=0.25
    )

    motion = (("q", "v"),)

    def __post_init__(self) -> None:
        super().__post_init__()
        for frame in self.positions + self.wrenches:
            self.tree.place(frame)
        self.tree.with_payload_masses(dict.fromkeys(self.loads, 0.0))
        if self.rotors is not None and ca.SX(self.rotors).shape != (self.tree.size, self.tree.size):
            raise WiringError(f"{self.tree.name}: rotors must be {self.tree.size} x {self.tree.size}, one row a moving joint")
        names = [*self.states, *self.inputs]
        for frame in self.positions:
            if frame in names:
                raise WiringError(f"{self.tree.name}: frame {frame!r} cannot be an output: the name is taken, rename the frame")

    @property
    def states(self) -> dict[str, Signal]:  # type: ignore[override]
        joints = self.tree.moving
        ends = [j.widened(self.margin) for j in joints]
        units = tuple(j.unit for j in joints)
        return {
            "q": Signal(
                "rad", names=self.tree.names, units=units,
                lower=tuple(low for low, _ in ends), upper=tuple(high for _, high in ends),
                start=tuple(min(max(0.0, j.lower), j.upper) for j in joints),
            ),
            "v": Signal("rad/s", names=self.tree.names, units=tuple(f"{unit}/s" for unit in units)),
        }

    @property
    def inputs(self) -> dict[str, Signal]:  # type: ignore[override]
        tau = Signal("N*m", names=self.tree.names, units=tuple(j.force_unit for j in self.tree.moving))
        wrenches = {f"wrench_{frame}": WRENCH for frame in self.wrenches}
        return {"tau": tau, **wrenches, **{f"mass_{name}": Signal("kg", lower=0.0) for name in self.loads}}

    @property
    def outputs(self) -> dict[str, Signal]:  # type: ignore[override]
        return {frame: Signal("m", names=("x", "y", "z")) for frame in self.positions}

    def output(self, x: Signals, u: Signals) -> Signals:
        return Signals(**{frame: position(self.tree, frame, x.q) for frame in self.positions})

    def derivative(self, x: Signals, u: Signals) -> Signals:
        force = u.tau - inverse_dynamics(self._loaded(u), x.q, x.v, ca.SX.zeros(self.tree.size))  # (1)
        for frame in self.wrenches:
            w = getattr(u, f"wrench_{frame}")
            force += generalised_force(self.tree, frame, x.q, w[:3], w[3:])  # (1)
        return Signals(v=force)

    def mass(self, x: Signals, u: Signals) -> Expression:
        mass = mass_matrix(self._loaded(u), x.q)  # (1)
        return mass if self.rotors is None else mass + ca.SX(self.rotors)

    def _loaded(self, u: Signals) -> Tree:
        return self.tree.with_payload_masses({name: getattr(u, f"mass_{name}") for name in self.loads})
