"""Line without storage: orifice and line resistance in series."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.hydraulics.oil import FLOW, PRESSURE
from gerotor.maths import smooth


@dataclass(frozen=True, kw_only=True)
class ResistiveLine(Component):
    """Valve orifice of resistance R and line up to the actuator, which takes the flow Qa.

    pa = p0 - L Qa - (R + S) Qa |Qa|                                                     (1)
    The limit of a line whose inertance and capacitance vanish; right for an open valve. Q |Q| of
    the orifice is smoothed over the width Q_m, which gives it a slope at rest.
    Source: [papadopoulos2002, sec. 4 and fig. 7].
    """

    resistance: Expression = param("Pa*s/m^3", "L, laminar resistance up to the actuator", least=0, default=0.0)
    turbulent_resistance: Expression = param("Pa*s^2/m^6", "S, turbulent resistance up to the actuator", least=0, default=0.0)
    transition_flow: Expression = param("m^3/s", "Q_m, flow below which the orifice is laminar", above=0, default=1e-8)

    inputs = signals(p0=PRESSURE, R="Pa*s^2/m^6", Qa=FLOW)
    outputs = signals(pa=PRESSURE)

    def output(self, x: Signals, u: Signals) -> Signals:
        turbulent = (u.R + self.turbulent_resistance) * smooth.signed_square(u.Qa, self.transition_flow)
        return Signals(pa=u.p0 - self.resistance * u.Qa - turbulent)  # (1)
