"""Wiring mistakes are named; what is right becomes the right Ode."""

from dataclasses import dataclass

import casadi as ca
import numpy as np
import pytest

from gerotor.assembly.system import System
from gerotor.core.component import Component, Signal, Signals, param, signals
from gerotor.errors import ParameterError, WiringError

pytestmark = pytest.mark.vm


@dataclass(frozen=True, kw_only=True)
class Gain(Component):
    k: float = param("1", "gain", default=2.0)
    inputs = signals(u="1")
    outputs = signals(y="1")

    def output(self, x: Signals, u: Signals) -> Signals:
        return Signals(y=self.k * u.u)


@dataclass(frozen=True, kw_only=True)
class Lag(Component):
    T: float = param("s", "time constant", above=0)
    states = signals(x=Signal("1", start=0.5))
    inputs = signals(u="1")

    def derivative(self, x: Signals, u: Signals) -> Signals:
        return Signals(x=(u.u - x.x) / self.T)


@dataclass(frozen=True, kw_only=True)
class Mass(Component):
    m: float = param("kg", "mass", above=0)
    states = signals(q="m", v="m/s")
    inputs = signals(F="N")
    motion = (("q", "v"),)

    def derivative(self, x: Signals, u: Signals) -> Signals:
        return Signals(v=u.F)

    def mass(self, x: Signals, u: Signals) -> ca.SX:
        return ca.SX(self.m)


def test_a_chain_becomes_one_ode() -> None:
    system = System("chain")
    u, k = system.input("u", "1", start=3.0), system.tunable("k", "1", 4.0)
    mass = system.add("mass", Mass(m=2.0), last=True)
    gain, lag = system.add("gain", Gain(k=k)), system.add("lag", Lag(T=0.1))
    gain.connect(u=u)
    lag.connect(u=gain.y + system.time)
    mass.connect(F=lag.x - 5 * mass.q)
    system.output("double", "1", 2 * lag.x)
    ode = system.ode()
    assert ode.states.names == ["lag.x", "mass.q", "mass.v"]
    assert [b.name for b in ode.blocks] == ["lag", "mass"]
    assert ode.outputs.names == ["gain.y", "double"]
    x = ode.states.pack({"mass.q": 0.2, "mass.v": 0.7})
    np.testing.assert_allclose(ode.derivative_at(x, t=1.5), [(12 + 1.5 - 0.5) / 0.1, 0.7, (0.5 - 1.0) / 2.0])
    y = ode.function("y", ode.y)(x, [3.0], [4.0], 0.0)
    assert np.asarray(y).ravel().tolist() == [12.0, 1.0]


def test_order_of_adding_does_not_matter_for_signals() -> None:
    system = System("s")
    first, second = system.add("first", Gain()), system.add("second", Gain())
    first.connect(u=second.y)
    second.connect(u=system.input("u", "1"))
    system.add("lag", Lag(T=1.0)).connect(u=first.y)
    assert system.ode().derivative_at([0.0], [3.0]) == pytest.approx(12.0)


def test_unconnected_input_is_named() -> None:
    system = System("s")
    part = system.add("boom.lag", Lag(T=1.0))
    assert part.unconnected == ["u"]
    with pytest.raises(WiringError, match=r"boom\.lag\.u is not connected"):
        system.ode()


def test_connecting_twice_is_refused() -> None:
    part = System("s").add("boom.lag", Lag(T=1.0)).connect(u=1.0)
    with pytest.raises(WiringError, match=r"boom\.lag\.u is connected twice"):
        part.connect(u=2.0)


def test_loop_names_its_members() -> None:
    system = System("s")
    a, b = system.add("a", Gain()), system.add("b", Gain())
    a.connect(u=b.y)
    b.connect(u=a.y)
    with pytest.raises(WiringError, match=r"algebraic loop: .*a\.y <- a\.u <- b\.y <- b\.u <- a\.y") as caught:
        system.ode()
    assert "\n" not in str(caught.value)


def test_a_loop_through_a_state_is_none() -> None:
    system = System("s")
    gain, lag = system.add("gain", Gain()), system.add("lag", Lag(T=1.0))
    gain.connect(u=lag.x)
    lag.connect(u=gain.y)
    assert system.ode().derivative_at([1.0]) == pytest.approx(1.0)


def test_duplicates_are_refused() -> None:
    system = System("s")
    system.add("boom", Gain())
    with pytest.raises(WiringError, match="duplicate part 'boom'"):
        system.add("boom", Gain())
    system.parts.clear()
    system.input("u", "1")
    system.input("u", "A")
    with pytest.raises(WiringError, match="duplicate name u"):
        system.ode()


def test_a_signal_of_another_system_is_named() -> None:
    foreign = System("other").add("lag", Lag(T=1.0))
    system = System("s")
    system.add("gain", Gain()).connect(u=foreign.x)
    with pytest.raises(WiringError, match=r"signal 'lag\.x' belongs to no part of this system"):
        system.ode()


def test_unknown_names_and_sizes() -> None:
    part = System("s").add("gain", Gain())
    with pytest.raises(WiringError, match="gain: unknown signal 'z'"):
        part.z  # noqa: B018
    with pytest.raises(WiringError, match="gain: unknown input 'v'; known: u"):
        part.connect(v=1.0)
    with pytest.raises(WiringError, match=r"gain\.u takes 1 values, got 2"):
        part.connect(u=ca.SX.zeros(2))


def test_ranges_are_checked_under_the_path() -> None:
    with pytest.raises(ParameterError):
        System("s").add("boom", Lag(T=0.0))


@dataclass(frozen=True)
class Forgetful(Component):
    states = signals(x="1")
    outputs = signals(y="1")


def test_what_a_component_forgets_is_named() -> None:
    system = System("s")
    system.add("part", Forgetful())
    with pytest.raises(WiringError, match="part: output 'y' is declared but not computed"):
        system.ode()
