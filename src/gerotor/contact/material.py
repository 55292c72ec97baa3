"""Materials to cut, as data: what Merchant's shear-plane model of a chip needs.

    k = tau / (sin phi cos(phi + beta - alpha))                                            (1)
    k_t = k cos(beta - alpha),   k_n = k sin(beta - alpha)                                 (2)

k_t and k_n are the cutting force along and across the cutting speed per chip cross-section. Valid
for phi + beta - alpha < 90 deg; towards it the force grows without bound.
Source: [kim2021, eq. 9 and 10].
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Component, Expression, param
from gerotor.errors import ParameterError, unknown


@dataclass(frozen=True, kw_only=True)
class Material(Component):
    """Shear-plane numbers of a material with a certain tooth; `source` says where they come from."""

    shear_stress: Expression = param("Pa", "tau, on the shear plane", above=0)
    shear_angle: Expression = param("rad", "phi, of the shear plane to the cutting speed", above=0, below=math.pi / 2)
    friction_angle: Expression = param("rad", "beta, between chip and tooth face", least=0, below=math.pi / 2)
    rake_angle: Expression = param("rad", "alpha, of the tooth face", above=-math.pi / 2, below=math.pi / 2)
    source: str = ""

    def check(self, path: str) -> None:
        super().check(path)
        angle = self.shear_angle + self.friction_angle - self.rake_angle
        if isinstance(angle, float | int) and not abs(angle) < math.pi / 2:
            raise ParameterError(
                f"{path}: shear angle + friction angle - rake angle = {math.degrees(angle):.6g} deg: must be within +-90 deg"
            )

    @property
    def pressures(self) -> tuple[Expression, Expression]:
        """k_t, k_n of (2)."""
        excess = self.friction_angle - self.rake_angle
        k = self.shear_stress / (ca.sin(self.shear_angle) * ca.cos(self.shear_angle + excess))  # (1)
        return k * ca.cos(excess), k * ca.sin(excess)  # (2)


_ANGLES = {"shear_angle": math.radians(25), "friction_angle": math.radians(35), "rake_angle": math.radians(10)}
_ASSUMED = "angles assumed: friction about 0.7, positive rake"

MATERIALS = {
    "stainless steel": Material(
        shear_stress=880e6, **_ANGLES, source=f"[kim2021, section IV-C], upper end of 320-880 MPa; {_ASSUMED}"
    ),
    "stainless steel, soft": Material(
        shear_stress=320e6, **_ANGLES, source=f"[kim2021, section IV-C], lower end of 320-880 MPa; {_ASSUMED}"
    ),
    "carbon steel": Material(
        shear_stress=310e6, **_ANGLES, source=f"assumed: 0.75 of 415 MPa, the least tensile strength of ASTM A106 B; {_ASSUMED}"
    ),
    "aluminium": Material(
        shear_stress=207e6, **_ANGLES, source=f"assumed: shear strength of 6061-T6; {_ASSUMED}"
    ),
}


def material(name: str) -> Material:
    """A material by name."""
    if name not in MATERIALS:
        raise ParameterError(unknown("material", name, list(MATERIALS)))
    return MATERIALS[name]
