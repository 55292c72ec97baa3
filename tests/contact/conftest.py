from typing import Any

import casadi as ca
import pytest

from gerotor.contact.material import material
from gerotor.contact.pipe_cut import PipeCut
from gerotor.core.evaluate import function

# 30 rpm, 12 mm/min along +y: [kim2021, section IV-C]; saw, pipe and angles assumed (the contact from 10 to 70 mm of
# travel that the source reports needs an outer radius of 30 mm)
PUBLISHED: dict[str, Any] = {
    "saw_radius": 0.150, "teeth": 160, "kerf_width": 3e-3, "saw_speed": 3.141592653589793, "sense": 1,
    "pipe_y": 2.760, "pipe_z": -1.445, "outer_radius": 0.030, "inner_radius": 0.0245,
    "feed_angle": 0.0, "feed_speed": 0.012 / 60, "material": material("stainless steel"),
}


def _cut(**changes: Any) -> PipeCut:
    return PipeCut(**{**PUBLISHED, **changes})


@pytest.fixture(scope="session")
def make_cut() -> Any:
    """make_cut(teeth=80): the published cut with changes."""
    return _cut


@pytest.fixture(scope="session")
def many() -> Any:
    """many(cut, c, v, t, gate): outputs for many positions (2 x n) and times at once."""

    def run(cut: PipeCut, c: Any, t: Any, v: Any = (0.0, 0.0), gate: Any = 1.0) -> dict[str, Any]:
        n = ca.DM(c).shape[1]
        f = function(cut).map(n)
        wide = {"c": c, "t": ca.DM(t).T, "v": ca.repmat(ca.DM(v), 1, n), "gate": ca.repmat(ca.DM(gate), 1, n)}
        return {k: value.full() for k, value in f(**wide).items()}

    return run
