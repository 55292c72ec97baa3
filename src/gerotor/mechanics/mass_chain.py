"""Bodies on a line, each joined to the next by a spring-damper, the first free or held."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Component, Signal, Signals, param
from gerotor.errors import ParameterError


@dataclass(frozen=True, kw_only=True)
class MassChain(Component):
    """Positions from rest; f on each body from outside:

      m_i v_i' = f_i - s_(i-1) + s_i,   s_i = k_i (x_(i+1) - x_i) + c_i (v_(i+1) - v_i),   x_i' = v_i     (1)
    Source: Newton's law. Exact for small and large motion alike.
    """

    masses: tuple[float, ...] = param("kg", "m, one a body", above=0)
    stiffness: tuple[float, ...] = param("N/m", "k, between neighbours", least=0)
    damping: tuple[float, ...] = param("N s/m", "c, between neighbours", least=0)

    motion = (("x", "v"),)

    def __post_init__(self) -> None:
        super().__post_init__()
        n = len(self.masses)
        if n < 1 or len(self.stiffness) != n - 1 or len(self.damping) != n - 1:
            raise ParameterError(f"MassChain: {n} masses need {max(0, n - 1)} stiffnesses and dampings between them")

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(str(k + 1) for k in range(len(self.masses)))

    @property
    def states(self) -> dict[str, Signal]:  # type: ignore[override]
        return {"x": Signal("m", self._names), "v": Signal("m/s", self._names)}

    @property
    def inputs(self) -> dict[str, Signal]:  # type: ignore[override]
        return {"f": Signal("N", self._names)}

    def derivative(self, x: Signals, u: Signals) -> Signals:
        force = [u.f[k] for k in range(len(self.masses))]
        for k, (stiffness, damping) in enumerate(zip(self.stiffness, self.damping, strict=True)):
            s = stiffness * (x.x[k + 1] - x.x[k]) + damping * (x.v[k + 1] - x.v[k])  # (1)
            force[k], force[k + 1] = force[k] + s, force[k + 1] - s
        return Signals(v=ca.vertcat(*[f / m for f, m in zip(force, self.masses, strict=True)]))  # (1)
