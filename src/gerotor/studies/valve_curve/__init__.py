"""Characteristic curves of a directional valve from a filter over a hydraulic four-bar [khadim2021]."""

from __future__ import annotations

from gerotor.studies.base import Result, Study, Watch
from gerotor.studies.valve_curve.claims import claims
from gerotor.studies.valve_curve.experiment import conduct
from gerotor.studies.valve_curve.figures import figures, tables
from gerotor.studies.valve_curve.twin import DURATION, STEP


def run(watch: Watch) -> Result:
    """Points, orders, curves, tunings and seeds; faults; bands; speed."""
    e = conduct(watch)
    runs = len(e.cases) * 5 + 66 + sum(map(len, e.apart.values()))
    recordings = {"real": e.real, "simulated": e.simulated}
    return Result(
        machine="four-bar", integrator="trapezoid", step=STEP, simulated=runs * DURATION, wall=e.wall,
        claims=claims(e), figures=figures(e), tables=tables(e), recordings={k: r for k, r in recordings.items() if r is not None},
    )


STUDIES = (Study("valve-curve", "Valve curves estimated in a hydraulic four-bar", "[khadim2021]", run),)
