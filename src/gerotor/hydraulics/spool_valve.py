"""What all four-edge spool valves share: openings of the edges, flows through them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from gerotor.core.component import Component, Expression, Signal, Signals, param, signals
from gerotor.errors import ParameterError
from gerotor.hydraulics.oil import FLOW, PRESSURE
from gerotor.maths import smooth

Curve = Callable[[Expression], Expression]
PORTS = signals(p1=PRESSURE, p2=PRESSURE, ps=PRESSURE, pt=PRESSURE)
FLOWS = signals(Q1=FLOW, Q2=FLOW, Qs=FLOW, Qt=FLOW)
EDGES = ("s1", "1t", "s2", "2t")


def edge_flows(gains: tuple[Expression, ...], u: Signals, width: Expression) -> Signals:
    """Port flows from the gains of the edges s1, 1t, s2, 2t [m^3/s/Pa^0.5] and the port pressures.

    Q1 = g_s1 sr(ps - p1) - g_1t sr(p1 - pt),   Q2 = g_s2 sr(ps - p2) - g_2t sr(p2 - pt)
    Qs = supply to 1 and to 2,   Qt = 1 and 2 to tank
    """
    s1, t1, s2, t2 = (
        g * smooth.signed_root(high - low, width)
        for g, high, low in zip(gains, (u.ps, u.p1, u.ps, u.p2), (u.p1, u.pt, u.p2, u.pt), strict=True)
    )
    return Signals(Q1=s1 - t1, Q2=s2 - t2, Qs=s1 + s2, Qt=t1 + t2)


@dataclass(frozen=True, kw_only=True)
class RatedValve(Component):
    """Base of the servo valves: a data sheet's rating, overlap and curves.

    r = (|x| - o) / (1 - o), not below 0: relative opening of an edge                    (1)
    gain of an edge = K f(r),   K = Q_r / sqrt(dp_r / 2),   f(r) = r unless a curve is given (2)
    commanded spool = i / i_r, clipped to -1 .. 1                                        (3)
    Edges s1 and 2t open for x > 0, s2 and 1t for x < 0; the flows follow `edge_flows`.
    Source: [kim2021, eq. 2] with signed roots, so that flow may reverse at either rail. The rated
    drop is that of the whole valve, half of it at each edge. o < 0 (underlap) opens all four at
    the centre.
    """

    rated_flow: Expression = param("m^3/s", "Q_r, no-load flow at full spool and rated drop", above=0)
    rated_drop: Expression = param("Pa", "dp_r, supply to tank without load", above=0)
    rated_current: Expression = param("A", "i_r, current of full spool", above=0)
    overlap: float = param("1", "o, share of the stroke before an edge opens", above=-1, below=1, default=0.0)
    corner: float = param("1", "rounding of the corner where an edge opens; 0 is sharp", least=0, default=0.0)
    curves: tuple[Curve, ...] = param("1", "f of edges s1, 1t, s2, 2t; one for all; none: a straight line", default=())
    transition_pressure: Expression = param("Pa", "eps, drop below which the flow is laminar", above=0, default=1e3)

    inputs: ClassVar[dict[str, Signal]] = signals(i="A") | PORTS
    outputs: ClassVar[dict[str, Signal]] = FLOWS

    def check(self, path: str) -> None:
        super().check(path)
        if len(self.curves) not in (0, 1, 4):
            given = f"{path}.curves has {len(self.curves)} curves"
            raise ParameterError(f"{given}: give none, one for all edges, or four ({', '.join(EDGES)})")

    @property
    def gain(self) -> Expression:
        """K of (2) in m^3/s/Pa^0.5."""
        return self.rated_flow / (self.rated_drop / 2) ** 0.5

    def command(self, current: Expression) -> Expression:
        return smooth.clip(current / self.rated_current, -1, 1)  # (3)

    def opening(self, x: Expression) -> Expression:
        return smooth.ramp(x - self.overlap, self.corner) / (1 - self.overlap)  # (1)

    def output(self, x: Signals, u: Signals) -> Signals:
        forward, backward = self.opening(x.x), self.opening(-x.x)
        curves = self.curves * 4 if len(self.curves) == 1 else self.curves
        openings = [forward, backward, backward, forward]
        if curves:
            openings = [f(r) for f, r in zip(curves, openings, strict=True)]
        return edge_flows(tuple(self.gain * r for r in openings), u, self.transition_pressure)  # (2)
