"""A step whose own error estimate is too large is repeated in parts; what still fails is told."""

import casadi as ca
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from gerotor import Simulation, System
from gerotor.core.layout import Layout
from gerotor.core.ode import Block, Bound, Ode
from gerotor.errors import StepError
from gerotor.integrators import INTEGRATORS
from gerotor.mechanics.inertia import Inertia
from gerotor.mechanics.lugre import LuGre

FORCE = 1.2  # N*m, above the breakaway level


def block_on_bristles() -> System:
    """An inertia held by friction, pushed harder and harder until it breaks away."""
    s = System("block")
    mass = s.add("mass", Inertia(inertia=0.01))
    friction = s.add("friction", LuGre(coulomb=0.5, static=1.0, stribeck_velocity=0.01, stiffness=1e4, damping=5.0, viscous=0.1))
    mass.connect(tau=FORCE * s.time - friction.connect(v=mass.v).F)
    return s


def exact(end: float) -> float:
    ode = block_on_bristles().ode()
    run = solve_ivp(lambda t, x: ode.derivative_at(x, t=t), (0, end), np.zeros(3), method="Radau", rtol=1e-9, atol=1e-12)
    return float(run.y[ode.states.index("mass.q"), -1])


@pytest.mark.vm
@pytest.mark.parametrize("step", [5e-5, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2])
def test_a_breakaway_is_right_at_every_step(step: float) -> None:
    ode = block_on_bristles().ode()
    run = Simulation(ode).run(1.2, step, record=["mass.q", "friction.z"], record_period=0.01)
    assert run["mass.q"][-1] == pytest.approx(exact(1.2), abs=1e-2)
    assert np.abs(run["friction.z"]).max() <= 1e-4 * (1 + 1e-12)
    assert not run.facts["numerics"]["steps failed"]


@pytest.mark.vm
@pytest.mark.parametrize("name", sorted(INTEGRATORS))
def test_every_method_estimates_its_error(name: str) -> None:
    """Right, repeated, or told: never silently wrong at a breakaway with a step of 2 ms."""
    ode = block_on_bristles().ode()
    try:
        run = Simulation(ode, method=name).run(1.2, 2e-3, record=["mass.q"], record_period=0.01)
    except StepError as error:
        assert "stopped at" in str(error)
        return
    right = abs(run["mass.q"][-1] - exact(1.2)) < (1e-2 if INTEGRATORS[name].order > 1 else 3e-2)
    assert right or run.facts["numerics"]["steps failed"]
    assert bool(run.facts["warnings"]) == bool(run.facts["numerics"]["steps failed"])


def falling(bound: float) -> Ode:
    x, t, none = ca.SX.sym("x"), ca.SX.sym("t"), ca.SX(0, 1)
    empty = Layout()
    return Ode("falling", Layout.of(x="1"), empty, empty, empty, (Block("x", v=(0,), force=ca.SX(-1e3)),), x, none, none, t, none,
               (Bound(0, ca.SX(bound), ca.SX(1e9)),))


@pytest.mark.vm
def test_a_bound_is_kept() -> None:
    """The exact solution of this Ode does leave its bound, so its steps must fail and say so."""
    simulation = Simulation(falling(-1.0))
    world = simulation.world(0.5)
    world.c.failed_most = 0
    simulation.kernel.run(world, 4)
    assert world.x[0] == -1.0
    assert world.c.failed > 0


@pytest.mark.vm
def test_what_fails_again_and_again_ends_the_run() -> None:
    with pytest.raises(StepError, match="steps may be wrong") as caught:
        Simulation(falling(-1.0)).run(50.0, 0.5, record_period=0.5)
    assert len(caught.value.recording) > 2
    assert caught.value.recording.facts["numerics"]["steps failed"] > 0


@pytest.mark.vm
def test_compiled_and_interpreted_repeat_alike() -> None:
    ode = block_on_bristles().ode()
    made = []
    for compiled in (None, False):
        simulation = Simulation(ode, compiled=compiled)
        world = simulation.world(2e-3)
        simulation.kernel.run(world, 600)
        made.append((world.x.copy(), world.c.repeated, world.c.calls, world.c.calls_most))
    np.testing.assert_allclose(made[0][0], made[1][0], rtol=1e-7, atol=1e-10)
    assert made[0][1:] == made[1][1:]
