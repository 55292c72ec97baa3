"""Electric motor: current to torque."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Component, Expression, Signals, param, signals


@dataclass(frozen=True, kw_only=True)
class ElectricMotor(Component):
    """Permanent-magnet motor seen as a direct-current machine.

    tau = k i,   e = k w                                                                  (1)
    e is the voltage induced by the speed. Power is kept: tau w = e i.
    Source: [aarts2004, eq. 13] for the torque.
    """

    constant: Expression = param("N*m/A", "k, torque per current", above=0)

    inputs = signals(i="A", w="rad/s")
    outputs = signals(tau="N*m", e="V")

    def output(self, x: Signals, u: Signals) -> Signals:
        return Signals(tau=self.constant * u.i, e=self.constant * u.w)  # (1)
