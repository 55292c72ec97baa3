import numpy as np

from gerotor.estimation.filter import Filter
from gerotor.estimation.observability import observability
from gerotor.estimation.unknown import Measured, Unknown
from tests.estimation.linear import oscillator

UNKNOWNS = [Unknown(name="k", std=2.0), Unknown(name="q", std=0.3), Unknown(name="v", std=0.3, noise=0.05)]


def verdicts(amplitude: float, **options) -> dict[str, str]:
    t = np.arange(1000) * 0.02
    made = Filter(oscillator(), UNKNOWNS, [Measured(name="y0", std=0.05)], period=0.02)
    found = observability(made, t, amplitude * np.sin(2 * t)[:, None], **options)
    return {w.name: w.verdict for w in found}


def test_stiffness_needs_motion() -> None:
    """At rest the stiffness cannot be told; driven, it can."""
    assert verdicts(0.0)["k"] == "not told"
    assert verdicts(3.0)["k"] == "told"


def test_missing_samples_count() -> None:
    nothing = np.full((1000, 1), np.nan)
    assert verdicts(3.0, available=nothing)["k"] == "not told"
