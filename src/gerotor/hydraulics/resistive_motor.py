"""Hydraulic motor with leakage behind open orifices and lines without storage."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.hydraulics.motor_network import MotorNetwork
from gerotor.hydraulics.oil import FLOW, PRESSURE


@dataclass(frozen=True, kw_only=True)
class ResistiveMotor(Component):
    """Turns at speed w; sources p01, p02 behind orifices of resistance R; port pressures pe, pf.

    y = D w + (pe - pf) / R_in,   pe and pf from the network of sources, orifices and leaks  (1)
    tau = D (pe - pf)                                                                     (2)
    Q1, Q2 flow into the lines 1 and 2. The limit of lines whose inertance and capacitance vanish.
    Source: [papadopoulos2002, fig. 6]; see `motor_network` for the root.
    """

    displacement: Expression = param("m^3/rad", "D, swept volume per radian", above=0)
    line_resistance: Expression = param("Pa*s/m^3", "L, of each line", above=0)
    internal_resistance: Expression = param("Pa*s/m^3", "R_in, of the leak from port to port", above=0)
    external_resistance: Expression = param("Pa*s/m^3", "R_ex, of the leak from each port to the case", above=0)

    inputs = signals(p01=PRESSURE, p02=PRESSURE, pc=PRESSURE, R="Pa*s^2/m^6", w="rad/s")
    outputs = signals(tau="N*m", Q1=FLOW, Q2=FLOW, pe=PRESSURE, pf=PRESSURE)

    def output(self, x: Signals, u: Signals) -> Signals:
        network = MotorNetwork(u.p01, u.p02, u.pc, u.R, self.line_resistance, self.external_resistance)
        y = network.solve(self.internal_resistance, self.displacement * u.w, 0)  # (1)
        pe, pf = network.ports(y)
        Q1, Q2 = network.flows(y)
        return Signals(tau=self.displacement * (pe - pf), Q1=Q1, Q2=-Q2, pe=pe, pf=pf)  # (2)
