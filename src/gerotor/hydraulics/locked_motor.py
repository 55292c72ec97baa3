"""Hydraulic motor behind a closed valve, locked: its port pressures and its residual speed from the torque it holds."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.hydraulics.motor_network import MotorNetwork
from gerotor.hydraulics.oil import PRESSURE


@dataclass(frozen=True, kw_only=True)
class LockedMotor(Component):
    """tau is the torque the motor holds; p01, p02 the sources behind orifices at the closing resistance.

    pe - pf = tau / D,   pe and pf from the network of sources, orifices and leaks         (1)
    r = (y - (pe - pf) / R_in) / D                                                        (2)
    Without the sources a leaking motor cannot hold a torque, so they are kept. r is the speed the
    motor would have if the valve were just about to open.
    Source: [papadopoulos2002, eq. 16a and sec. 4]; see `motor_network` for the root.
    """

    displacement: Expression = param("m^3/rad", "D, swept volume per radian", above=0)
    line_resistance: Expression = param("Pa*s/m^3", "L, of each line", above=0)
    internal_resistance: Expression = param("Pa*s/m^3", "R_in, of the leak from port to port", above=0)
    external_resistance: Expression = param("Pa*s/m^3", "R_ex, of the leak from each port to the case", above=0)
    closed_resistance: Expression = param("Pa*s^2/m^6", "R_0, resistance at which the valve counts as closed", above=0)

    inputs = signals(p01=PRESSURE, p02=PRESSURE, pc=PRESSURE, tau="N*m")
    outputs = signals(pe=PRESSURE, pf=PRESSURE, r="rad/s")

    def output(self, x: Signals, u: Signals) -> Signals:
        P = u.tau / self.displacement
        network = MotorNetwork(
            u.p01, u.p02, u.pc, self.closed_resistance, self.line_resistance, self.external_resistance
        )
        y = network.solve(0, 0, P)  # (1)
        pe, pf = network.ports(y)
        return Signals(pe=pe, pf=pf, r=(y - P / self.internal_resistance) / self.displacement)  # (2)
