"""Steps a sampled part with numbers, through a CasADi function as the compiled run would."""

from __future__ import annotations

from typing import Any

import casadi as ca
import numpy as np
import pytest

from gerotor.core.sampled import Sampled


class Runner:
    def __init__(self, part: Sampled) -> None:
        d, r, t = ca.SX.sym("d", len(part.states)), ca.SX.sym("r", len(part.reads)), ca.SX.sym("t")
        new, held = part.update(d, r, t)
        self.function = ca.Function("update", [d, r, t], [new, held], {"cse": True})
        self.part = part
        self.state = part.states.array("start")
        self.k = 0

    def __call__(self, *reads: Any) -> np.ndarray:
        new, held = self.function(self.state, np.ravel(reads), self.k * self.part.period)
        self.state = np.asarray(new).ravel()
        self.k += 1
        return np.asarray(held).ravel()


@pytest.fixture
def runner() -> type[Runner]:
    return Runner
