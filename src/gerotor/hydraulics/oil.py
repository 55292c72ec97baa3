"""Oil: stiffness and density, with entrained air as an option; the signals that oil carries."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Component, Expression, Signal, param
from gerotor.maths import smooth

PRESSURE = Signal("Pa", lower=-5e6, upper=1e9, scale=1e5)
FLOW = Signal("m^3/s", scale=1e-4)


@dataclass(frozen=True, kw_only=True)
class Oil(Component):
    """The working fluid, hose and pipe elasticity included in the bulk modulus.

    Without air     B(p) = kp + k0 p, not below kp / 100                                (1)
    With air        B(p) = (1 - a + a r) / ((1 - a) / B1 + a r / (n p)),
                    r = (p_a / p)^(1/n), B1 from (1), p not below p_a / 10              (2)
    a is the volume share of free air at atmospheric pressure p_a, n its polytropic exponent.
    Source: (1) [khadim2021, eq. 8]; (2) derived: V = (1 - a) V_oil + a V_gas, B = -V dp/dV with
    p V_gas^n constant; the oil's own compression is neglected against 1. (2) needs absolute p.
    """

    bulk_modulus: Expression = param("Pa", "kp, bulk modulus at zero pressure", above=0)
    bulk_modulus_slope: Expression = param("1", "k0, growth of the bulk modulus with pressure", least=0, default=0.0)
    density: Expression = param("kg/m^3", "rho, mass density", above=0)
    air_share: float = param("1", "a, free air by volume at atmospheric pressure", least=0, below=1, default=0.0)
    air_exponent: float = param("1", "n, polytropic exponent of the air", least=1, default=1.4)
    atmosphere: float = param("Pa", "p_a, atmospheric pressure", above=0, default=101325.0)

    def modulus(self, p: Expression) -> Expression:
        """Effective bulk modulus at pressure p."""
        liquid = smooth.maximum(self.bulk_modulus + self.bulk_modulus_slope * p, self.bulk_modulus / 100)  # (1)
        if self.air_share == 0:
            return liquid
        p = smooth.maximum(p, self.atmosphere / 10)
        gas = self.air_share * (self.atmosphere / p) ** (1 / self.air_exponent)
        rest = 1 - self.air_share
        return (rest + gas) / (rest / liquid + gas / (self.air_exponent * p))  # (2)
