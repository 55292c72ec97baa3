"""Directional valve of four metering edges, each with its own flow-coefficient curve."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Component, Expression, Signals, param, signals
from gerotor.errors import ParameterError
from gerotor.hydraulics.spool_valve import EDGES, FLOWS, PORTS, Curve, edge_flows
from gerotor.maths import smooth


@dataclass(frozen=True, kw_only=True)
class MeteringValve(Component):
    """A 4/3 valve without dynamics; its spool position x is an input.

    gain of an edge = K c(r) r,   r = max(x, 0) for edges s1 and 2t, max(-x, 0) for s2 and 1t  (1)
    The flows follow `edge_flows`. c is a relative flow coefficient; its ordinates may be symbols.
    Source: [khadim2021, eq. 10] with the ports of negative spool and the scaling put right: the
    paper's edges a, b, c, d are s1, 2t, s2, 1t, its ordinate is percent of K = Cd A sqrt(2 / rho).
    """

    gain: Expression = param("m^3/s/Pa^0.5", "K, flow of a fully open edge per root of its pressure drop", above=0)
    coefficients: tuple[Curve, ...] = param("1", "c over r of the edges s1, 1t, s2, 2t")
    transition_pressure: Expression = param("Pa", "eps, drop below which the flow is laminar", above=0, default=1e3)

    inputs = signals(x="1") | PORTS
    outputs = FLOWS

    def check(self, path: str) -> None:
        super().check(path)
        if len(self.coefficients) != len(EDGES):
            raise ParameterError(f"{path}.coefficients has {len(self.coefficients)} curves: give four ({', '.join(EDGES)})")

    def output(self, x: Signals, u: Signals) -> Signals:
        forward, backward = smooth.ramp(u.x), smooth.ramp(-u.x)
        openings = (forward, backward, backward, forward)
        gains = tuple(self.gain * c(r) * r for c, r in zip(self.coefficients, openings, strict=True))  # (1)
        return edge_flows(gains, u, self.transition_pressure)
