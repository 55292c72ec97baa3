from dataclasses import dataclass

import pytest

from gerotor.core.component import Component, Signal, Signals, signals
from gerotor.core.evaluate import evaluate
from gerotor.errors import WiringError


@dataclass(frozen=True)
class Lag(Component):
    states = signals(x="1")
    inputs = signals(u=Signal("1", names=("a", "b")))
    outputs = signals(y="1")

    def output(self, x: Signals, u: Signals) -> Signals:
        return Signals(y=2 * x.x + u.u[1])

    def derivative(self, x: Signals, u: Signals) -> Signals:
        return Signals(x=u.u[0] - x.x)


def test_outputs_and_rates_by_name() -> None:
    assert evaluate(Lag(), x=1.0, u=[3.0, 5.0]) == {"y": 7.0, "d_x": 2.0}


def test_what_is_not_given_is_zero() -> None:
    assert evaluate(Lag(), x=1.0) == {"y": 2.0, "d_x": -1.0}


def test_unknown_signal_names_the_known() -> None:
    with pytest.raises(WiringError, match="unknown signal 'v'; known: "):
        evaluate(Lag(), v=1.0)
