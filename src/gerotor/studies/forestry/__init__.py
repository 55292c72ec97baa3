"""A forestry crane's real-time engine: closing valves, line dynamics, and the model without them [papadopoulos2002]."""

from __future__ import annotations

from gerotor.studies.base import Result, Study, Watch
from gerotor.studies.forestry.claims import claims
from gerotor.studies.forestry.experiment import STEP, conduct
from gerotor.studies.forestry.figures import figures, tables


def run(watch: Watch) -> Result:
    """Full against reduced model, drift, follower, run times, a loading cycle."""
    e = conduct(watch)
    return Result(
        machine="forestry-crane", integrator="extrapolated", step=STEP,
        simulated=e.both.facts["simulated"], wall=e.both.facts["wall"],
        claims=claims(e), figures=figures(e), tables=tables(e), recordings={"stick": e.both, "loading": e.cycle},
    )


STUDIES = (Study("forestry", "Forestry crane: full and reduced hydraulics behind closing valves", "[papadopoulos2002]", run),)
