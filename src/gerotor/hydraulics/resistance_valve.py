"""Proportional valve as a resistance: a polynomial of the command, with overlap."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.errors import ParameterError
from gerotor.hydraulics.oil import PRESSURE
from gerotor.maths import smooth


@dataclass(frozen=True, kw_only=True)
class ResistanceValve(Component):
    """Two equal orifices; the sign of the command says which line meets the supply.

    pressure drop = R Q |Q|,   R = max(g, g_0)^-2,   g_0 = R_0^(-1/2)                      (1)
    g = G (c1 r + c2 r^2 + c3 r^3),   r = clip((|u| - u_0) / (u_max - u_0), 0, 1)          (2)
    The valve counts as open while g > g_0. Line 1 meets the supply and line 2 the tank for
    u >= 0, the other way round for u < 0, also while it is closed.
    Source: [papadopoulos2002, eq. 13]; the polynomial is fitted through the conductance g.
    """

    conductance: Expression = param("m^3/s/Pa^0.5", "G, flow of the open orifice per root of its pressure drop", above=0)
    polynomial: tuple[float, ...] = param("1", "c1, c2, ..; their sum is 1")
    overlap: float = param("V", "u_0, command at which the valve begins to open", least=0)
    full_command: float = param("V", "u_max, command of the open valve", above=0)
    closed_resistance: Expression = param("Pa*s^2/m^6", "R_0, resistance at which the valve counts as closed", above=0)

    inputs = signals(u="V", ps=PRESSURE, pt=PRESSURE)
    outputs = signals(R="Pa*s^2/m^6", opened="1", p1=PRESSURE, p2=PRESSURE)

    def check(self, path: str) -> None:
        super().check(path)
        if self.overlap >= self.full_command:
            raise ParameterError(f"{path}.overlap = {self.overlap:g} V: must be below full_command = {self.full_command:g} V")

    def output(self, x: Signals, u: Signals) -> Signals:
        r = smooth.clip((smooth.absolute(u.u) - self.overlap) / (self.full_command - self.overlap), 0, 1)
        g: Expression = 0
        for c in reversed(self.polynomial):
            g = r * (c + g)
        g = self.conductance * g  # (2)
        g_0 = 1 / ca.sqrt(self.closed_resistance)
        bounded = smooth.maximum(g, g_0)
        forward = u.u >= 0
        return Signals(
            R=1 / (bounded * bounded),  # (1)
            opened=g > g_0,
            p1=ca.if_else(forward, u.ps, u.pt),
            p2=ca.if_else(forward, u.pt, u.ps),
        )
