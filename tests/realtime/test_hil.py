"""Hardware in the loop for any machine: a mass on a spring behind every kind of interface."""

import numpy as np
import pytest

from gerotor.assembly.system import System
from gerotor.core.component import Component, Signals, signals
from gerotor.errors import GerotorError, InputError, ParameterError
from gerotor.estimation.contact_identifier import ContactIdentifier
from gerotor.realtime.hil import Axis, HilLoop, Interface
from gerotor.simulation.simulation import Simulation

MASS, K, C = 100.0, 4e4, 200.0


class Mass(Component):
    """A body on a line."""

    states = signals(x="m", v="m/s")
    inputs = signals(F="N")

    def __post_init__(self):
        pass

    def check(self, path):
        pass

    def derivative(self, x, u):
        return Signals(x=x.v, v=u.F / MASS)


def machine():
    system = System("mass")
    body = system.add("body", Mass())
    body.connect(F=system.input("F", "N"))
    return system.ode()


def loop(delay, kind="transport", identifier=None, **more):
    axis = Axis("x", "F", "body.x", "body.v", K, C)
    return HilLoop(machine(), [axis], Interface(2.5e-4, delay, kind, **more), identifier, start={"body.x": 0.01})


def run(hil, duration=3.0):
    simulation = Simulation(hil.ode, [hil.sampled()], method="rk4")
    world = simulation.world(hil.interface.period, start=hil.start)
    world.d[:] = hil.discrete_start()
    names = ["body.x", "body.v"] + (["stiffness.x", "damping.x"] if hil.identifier else [])
    return simulation.continue_run(world, duration, record=names, record_period=1e-3)


def energy(recording):
    return K * recording["body.x"] ** 2 + MASS * recording["body.v"] ** 2


@pytest.mark.parametrize("kind", ["transport", "lag1", "lag2", "lag3", "hold"])
def test_runs_grow_above_the_predicted_critical_delay_and_die_out_below(kind):
    critical = loop(0.0, kind).margins()[0].critical
    assert 3e-3 < critical < 12e-3
    for factor in (0.85, 1.15):
        final = energy(run(loop(factor * critical, kind)))
        assert (final[-500:].mean() > final[:500].mean()) == (factor > 1), (kind, factor)


def test_margin_by_hand():
    """Light damping: the critical delay of one mass on a spring is nearly c / k."""
    assert loop(0.0).linear(sampled=False).critical().critical == pytest.approx(C / K, rel=0.02)
    mode = loop(2e-3).margins()[0]
    assert mode.margin(2e-3) == pytest.approx(mode.critical - 2e-3)


def test_compensation_makes_the_late_loop_follow_the_ideal():
    identifier = ContactIdentifier(2.5e-4, 0.05, (1e2, 1e-3), span=4, gate=9.0)
    late = run(loop(15e-3, identifier=identifier, noise=0.05))
    w, z = np.sqrt(K / MASS), C / 2 / np.sqrt(K * MASS)
    t, wd = late.time, w * np.sqrt(1 - z**2)
    exact = 0.01 * np.exp(-z * w * t) * (np.cos(wd * t) + z * w / wd * np.sin(wd * t))
    assert np.sqrt(np.mean((late["body.x"] - exact) ** 2)) < 0.02 * 0.01
    assert late["stiffness.x"][-1] == pytest.approx(K, rel=0.02)
    bare = energy(run(loop(15e-3)))
    assert bare[-1] > 10 * bare[0]


def test_jitter_and_loss_are_survived_with_compensation():
    identifier = ContactIdentifier(2.5e-4, 0.05, (1e2, 1e-3), span=4, gate=9.0)
    final = energy(run(loop(8e-3, identifier=identifier, jitter=2e-3, loss=0.05)))
    assert final[-1] < 0.1 * final[0]


@pytest.mark.parametrize("wrong", [{"delay": -1.0}, {"delay": 11.0}, {"kind": "guess", "delay": 0.0}, {"delay": float("nan")}])
def test_impossible_interfaces_are_refused(wrong):
    with pytest.raises(ParameterError):
        Interface(**({"period": 1e-3} | wrong))


def test_unknown_paths_answer_with_known_ones():
    with pytest.raises(InputError, match="unknown input"):
        HilLoop(machine(), [Axis("x", "force", "body.x", "body.v", K, C)], Interface(1e-3, 0.0))
    with pytest.raises(GerotorError, match=r"body\.x"):
        HilLoop(machine(), [Axis("x", "F", "body.y", "body.v", K, C)], Interface(1e-3, 0.0))
    with pytest.raises(InputError, match="at least one"):
        HilLoop(machine(), [], Interface(1e-3, 0.0))


def test_tunable_delay_equals_a_fixed_one():
    fixed = run(loop(4e-3), 1.0)
    axis = Axis("x", "F", "body.x", "body.v", K, C)
    free = HilLoop(machine(), [axis], Interface(2.5e-4, 9e-3), start={"body.x": 0.01}, tunable=True)
    simulation = Simulation(free.machine, [free.sampled()], method="rk4")
    world = simulation.world(2.5e-4, start=free.start, parameters={"interface.delay": 4e-3})
    world.d[:] = free.discrete_start()
    found = simulation.continue_run(world, 1.0, record=["body.x"], record_period=1e-3)
    np.testing.assert_allclose(found["body.x"], fixed["body.x"], atol=1e-12)
    with pytest.raises(InputError, match="transport"):
        HilLoop(machine(), [axis], Interface(2.5e-4, 9e-3, "lag1"), tunable=True)
