"""Soft end stops: what keeps the joints of a tree in their ranges."""

from __future__ import annotations

import math
from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Component, Expression, Signal, Signals, param
from gerotor.errors import ParameterError
from gerotor.maths.smooth import onset, rise
from gerotor.mechanics.tree import Tree


@dataclass(frozen=True, kw_only=True, eq=False)
class EndStops(Component):
    """A spring-damper at both ends of every joint's range; it pushes, never pulls.

    f = onset(k onset(x, w) + d rise(x, w) dx/dt, k w),   x: depth past the end          (1)
    tau = f_lower - f_upper                                                              (2)

    Continuously differentiable in q. Values per moving joint, in the order of the tree's names;
    a joint without an end on one side has no stop there. The model is ours.
    """

    tree: Tree
    stiffness: tuple[Expression, ...] = param("N/m or N*m/rad", "k, of the pad; 0: no stop", least=0)
    damping: tuple[Expression, ...] = param("N*s/m or N*m*s/rad", "d, of the pad when fully pressed", least=0)
    width: tuple[Expression, ...] = param("m or rad", "w, depth over which the pad gets its full stiffness", above=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        for key in ("stiffness", "damping", "width"):
            given = len(getattr(self, key))
            if given != self.tree.size:
                raise ParameterError(f"EndStops.{key} has {given} values: {self.tree.name} has {self.tree.size} moving joints")

    @property
    def inputs(self) -> dict[str, Signal]:  # type: ignore[override]
        names, units = self.tree.names, tuple(j.unit for j in self.tree.moving)
        return {"q": Signal("rad", names=names, units=units),
                "v": Signal("rad/s", names=names, units=tuple(f"{unit}/s" for unit in units))}

    @property
    def outputs(self) -> dict[str, Signal]:  # type: ignore[override]
        return {"tau": Signal("N*m", names=self.tree.names, units=tuple(j.force_unit for j in self.tree.moving))}

    def output(self, x: Signals, u: Signals) -> Signals:
        tau = []
        for i, joint in enumerate(self.tree.moving):
            if isinstance(self.stiffness[i], int | float) and self.stiffness[i] == 0:
                tau.append(0)
                continue
            pad = self.stiffness[i], self.damping[i], self.width[i]
            low = _push(joint.lower - u.q[i], -u.v[i], *pad) if math.isfinite(joint.lower) else 0
            high = _push(u.q[i] - joint.upper, u.v[i], *pad) if math.isfinite(joint.upper) else 0
            tau.append(low - high)  # (2)
        return Signals(tau=ca.vertcat(*[ca.SX(t) for t in tau]))


def _push(depth: Expression, rate: Expression, stiffness: Expression, damping: Expression, width: Expression) -> Expression:
    return onset(stiffness * onset(depth, width) + damping * rise(depth, width) * rate, stiffness * width)  # (1)
