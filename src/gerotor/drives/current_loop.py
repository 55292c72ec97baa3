"""Current loop with winding and PI controller."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.maths import smooth


@dataclass(frozen=True, kw_only=True)
class CurrentLoop(Component):
    """Amplifier with voltage limit, winding, continuous PI controller that does not wind up.

    L di/dt = U - R i - e                                                                 (1)
    U = clip(U_c, -U_max, U_max),   U_c = Kp d + Ki s,   d = clip(r, -i_max, i_max) - i      (2)
    ds/dt = d + (U - U_c) / Kp                                                            (3)
    e is the voltage induced by the motor. With Kp = L w_c, Ki = R w_c and no limit reached the
    loop is a lag of bandwidth w_c.
    Source: derived: winding and PI loop of a direct-current machine; (3) is back-calculation.
    """

    resistance: Expression = param("ohm", "R, of the winding", above=0)
    inductance: Expression = param("H", "L, of the winding", above=0)
    proportional_gain: Expression = param("V/A", "Kp", above=0)
    integral_gain: Expression = param("V/A/s", "Ki", least=0)
    max_voltage: Expression = param("V", "U_max, limit of the amplifier", above=0)
    max_current: Expression = param("A", "i_max, limit of the reference", above=0)

    states = signals(i="A", s="A*s")
    inputs = signals(r="A", e="V")
    outputs = signals(U="V")

    def _voltages(self, x: Signals, u: Signals) -> tuple[Expression, Expression, Expression]:
        d = smooth.clip(u.r, -self.max_current, self.max_current) - x.i
        asked = self.proportional_gain * d + self.integral_gain * x.s
        return d, asked, smooth.clip(asked, -self.max_voltage, self.max_voltage)  # (2)

    def output(self, x: Signals, u: Signals) -> Signals:
        return Signals(U=self._voltages(x, u)[2])

    def derivative(self, x: Signals, u: Signals) -> Signals:
        d, asked, voltage = self._voltages(x, u)
        return Signals(
            i=(voltage - self.resistance * x.i - u.e) / self.inductance,  # (1)
            s=d + (voltage - asked) / self.proportional_gain,  # (3)
        )
