"""Docking of a spacecraft by a space manipulator, hardware in the loop, with force and moment delay compensation [yu2018]."""

from __future__ import annotations

from gerotor.studies.base import Result, Study, Watch
from gerotor.studies.docking.claims import claims
from gerotor.studies.docking.experiment import conduct
from gerotor.studies.docking.figures import figures, tables
from gerotor.studies.docking.runs import STEP


def run(watch: Watch) -> Result:
    """Every scenario of the source: ideal, uncompensated, compensated as published, compensated by us."""
    e = conduct(watch)
    recordings = {f"{name} {way}": getattr(getattr(e, name), way) for name in ("single", "six", "varying", "rope")
                  for way in ("ideal", "bare", "ours")}
    simulated, wall = e.bench.speed()
    return Result(
        machine=e.bench.rig.name, integrator="rk4", step=STEP, simulated=simulated, wall=wall,
        claims=claims(e), figures=figures(e), tables=tables(e), recordings=recordings,
    )


STUDIES = (Study("docking", "Docking rig with identification and delay compensation", "[yu2018]", run),)
