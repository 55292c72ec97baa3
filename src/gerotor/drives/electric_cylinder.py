"""Electric cylinder: servo motor on a screw, with position, velocity and current loops."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gerotor.core.component import Component, Signals, param, signals


@dataclass(frozen=True, kw_only=True)
class ElectricCylinder(Component):
    """Cascade of position P, velocity PI and current PI on motor and screw; pushes a load that owns l and v.

    With K = 2 pi / lead and the motor speed w = K v:
      w_ref = K k_p (r - l)                                                              (1)
      i_ref = k_vp (w_ref - w) + k_vi a,   a' = w_ref - w                                (2)
      u = k_ip (i_ref - i) + k_ii b,       b' = i_ref - i                                (3)
      L i' = u - R i - K_T w                                                             (4)
      f = K (K_T i - B w) - J K^2 v'                                                     (5)
    The last term of (5) belongs to the load: add `reflected_mass` to its mass, and no algebraic loop is left.
    Source: [yu2018, fig. 6]. At low frequency the loop is a delay of 1 / k_p, whatever the inner loops.
    """

    lead: float = param("m", "travel of one turn of the screw", above=0)
    resistance: float = param("ohm", "R, of the winding", above=0)
    inductance: float = param("H", "L, of the winding", above=0)
    torque_constant: float = param("N m/A", "K_T, also the speed constant in V s/rad", above=0)
    rotor_inertia: float = param("kg m^2", "J, motor and screw", above=0)
    rotor_damping: float = param("N m s/rad", "B, viscous", least=0)
    position_gain: float = param("1/s", "k_p", above=0)
    velocity_gain: float = param("A s/rad", "k_vp", above=0)
    velocity_integral: float = param("A/rad", "k_vi", least=0)
    current_gain: float = param("V/A", "k_ip", above=0)
    current_integral: float = param("V/(A s)", "k_ii", least=0)

    states = signals(i="A", a="rad", b="A s")
    inputs = signals(r="m", l="m", v="m/s")
    outputs = signals(f="N")

    @property
    def turns(self) -> float:
        """K, rad/m."""
        return 2 * math.pi / self.lead

    @property
    def reflected_mass(self) -> float:
        """J K^2, kg."""
        return self.rotor_inertia * self.turns**2

    def output(self, x: Signals, u: Signals) -> Signals:
        return Signals(f=self.turns * (self.torque_constant * x.i - self.rotor_damping * self.turns * u.v))  # (5)

    def derivative(self, x: Signals, u: Signals) -> Signals:
        w = self.turns * u.v
        slip = self.turns * self.position_gain * (u.r - u.l) - w  # (1)
        lack = self.velocity_gain * slip + self.velocity_integral * x.a - x.i  # (2)
        voltage = self.current_gain * lack + self.current_integral * x.b  # (3)
        return Signals(
            i=(voltage - self.resistance * x.i - self.torque_constant * w) * (1 / self.inductance),  # (4)
            a=slip, b=lack,
        )
