"""A single turning or sliding inertia: a flywheel, a drum, a test load."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Component, Expression, Signals, param, signals


@dataclass(frozen=True, kw_only=True)
class Inertia(Component):
    """q' = v,   J v' = tau                                                               (1)

    Newton's second law; for a slide read kg, m and N.
    """

    inertia: Expression = param("kg*m^2", "J, moment of inertia about the axis", above=0)

    states = signals(q="rad", v="rad/s")
    inputs = signals(tau="N*m")
    motion = (("q", "v"),)

    def derivative(self, x: Signals, u: Signals) -> Signals:
        return Signals(v=u.tau)  # (1)

    def mass(self, x: Signals, u: Signals) -> Expression:
        return ca.reshape(ca.SX(self.inertia), 1, 1)
