import itertools
import json

import numpy as np
import pytest

from gerotor.realtime.ledger import Distribution, Ledger, upper_edge
from gerotor.realtime.shared import BINS, CLedger


def test_edges_grow_by_about_6_percent() -> None:
    edges = [upper_edge(k) for k in range(BINS)]
    assert edges[:17] == list(range(17))
    assert all(1 < b / a < 1.07 for a, b in itertools.pairwise(edges[16:]))
    assert edges[-1] > 3600e9


def test_percentiles_agree_with_the_samples() -> None:
    rng = np.random.default_rng(1)
    samples = np.round(rng.lognormal(10, 1.5, 20000)).astype(np.int64)
    edges = np.array([upper_edge(k) for k in range(BINS)])
    counts = np.bincount(np.searchsorted(edges, samples), minlength=BINS)
    found = Distribution.of(counts, int(samples.max()))
    for value, percent in ((found.p50, 50), (found.p99, 99), (found.p9999, 99.99)):
        exact = np.percentile(samples, percent, method="inverted_cdf") * 1e-9
        assert exact <= value <= exact * 1.07
    assert found.worst == pytest.approx(samples.max() * 1e-9)


def test_facts_survive_json() -> None:
    c = CLedger(ticks=3, steps=6, missed=1, worst_lateness=900, worst_compute=70, compute_sum=99)
    c.lateness[10], c.compute[20] = 3, 3
    ledger = Ledger.read(c, 1000, "skip", 2, ("no",))
    assert Ledger.from_facts(json.loads(json.dumps(ledger.facts()))) == ledger
    assert "33.3 %" in str(ledger)
