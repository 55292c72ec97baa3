"""Closing valves: continuity, drift, oil and energy balance."""

from dataclasses import dataclass

import casadi as ca
import numpy as np
import pytest

from gerotor.core.component import Component, Signals, signals
from gerotor.mechanics.energy import kinetic_energy, potential_energy
from gerotor.simulation.simulation import Simulation
from tests.machines.crane import JOINTS, LEVERS, POSE, assembled, levers_simulation, table

SWITCHING = np.array(
    [[0, 0, 0], [3, 2, 4], [0, 0, 0], [-2, -3, -4], [0.6, 0.6, 0.6], [-0.52, 0.51, 0.505], [0, 0, 0], [9, -9, 9]]
)


@dataclass(frozen=True)
class Integral(Component):
    """y' = r."""

    states = signals(y="1")
    inputs = signals(r="1")

    def derivative(self, x: Signals, u: Signals) -> Signals:
        return Signals(y=u.r)


@pytest.mark.parametrize("lines", ["full", "reduced"])
def test_every_state_is_continuous_at_every_switch(lines):
    """The limit of a vanishing step after each switch is the state before it."""
    a = assembled(lines)
    ode = a.ode()
    parts = a.loop([], 0.01, POSE)
    sim = Simulation(ode, parts, [table(np.repeat(SWITCHING, 8, axis=0), LEVERS)])
    scale = np.ones(len(ode.states))
    for k, name in enumerate(ode.states.names):
        scale[k] = {"p": 1e7, "Q": 1e-3}.get(name.rsplit(".", 1)[-1], 0.1)
    one_step = Simulation(ode, compiled=False)
    for row in range(1, len(SWITCHING)):
        world = sim.world(1e-3, start=a.rest(POSE))
        assert sim.kernel.run(world, row * 80) == 0
        x, inputs = world.x.copy(), dict(zip(sim.program.held.names, world.w, strict=True))
        inputs |= dict(zip(LEVERS, SWITCHING[row], strict=True))
        after = []
        for h in (1e-12, 2e-12):
            short = one_step.world(h, start=dict(zip(ode.states.names, x, strict=True)), inputs=inputs)
            one_step.kernel.run(short, 1)
            after.append(short.x.copy())
        assert np.max(np.abs(2 * after[0] - after[1] - x) / scale) < 1e-9


@pytest.mark.parametrize("lines", ["full", "reduced", "none"])
def test_closed_valves_hold_for_ten_minutes(lines):
    a, sim = levers_simulation(lines, method="extrapolated")
    rec = sim.run(600, 0.01, start=a.rest(POSE), record=[f"arm.q.{n}" for n in JOINTS], record_period=1.0)
    for n in JOINTS:
        assert np.ptp(rec[f"arm.q.{n}"]) < 1e-9


def test_without_the_closed_model_the_crane_creeps_with_the_root_of_the_resistance():
    """4.0, 1.34 and -2.9 mrad in 3 s at 1e18 Pa s^2/m^6; ten times less at a hundred times the resistance."""
    drift = {}
    for resistance in (1e18, 1e20):
        a, sim = levers_simulation("full", "max-resistance", resistance)
        rec = sim.run(3, 1e-3, start=a.rest(POSE), record=[f"arm.q.{n}" for n in JOINTS])
        drift[resistance] = np.array([rec[f"arm.q.{n}"][-1] - rec[f"arm.q.{n}"][0] for n in JOINTS])
    np.testing.assert_allclose(drift[1e18] * 1e3, [4.0, 1.34, -2.9], rtol=0.03)
    np.testing.assert_allclose(drift[1e18] / drift[1e20], 10, rtol=0.1)


def test_oil_and_energy_balances_close_in_every_stretch_between_switches():
    a = assembled()
    parts, tree = a.system.parts, a.machine.tree
    stored, power = kinetic_energy(tree, a.arm.q, a.arm.v) + potential_energy(tree, a.arm.q), 0
    for n in JOINTS:
        valve = parts[f"{n}.valve"]
        for k, source in ((1, valve.p1), (2, valve.p2)):
            line, make_up = parts[f"{n}.line{k}"], parts[f"{n}.line{k}.make_up"]
            C, I, S = (line.component.capacitance, line.component.inertance, line.component.turbulent_resistance)
            Q, taken = ca.if_else(valve.opened, line.Q, 0), line.Qa
            volume = a.system.add(f"{n}.volume{k}", Integral()).connect(r=Q - taken + make_up.Q)
            a.system.output(f"{n}.lost{k}", "m^3", volume.y - C * line.p)
            stored += C * line.p**2 / 2 + I * Q**2 / 2
            lost = valve.R * Q**2 * ca.sqrt(Q**2 + 1e-16)
            if n != "swing":
                lost += S * taken**2 * ca.fabs(taken)
            power += source * Q - lost + make_up.Q * line.p
        if n == "swing":
            motor = parts["swing.motor"]
            power += motor.tau * a.arm.v[0] - sum(parts[f"swing.line{k}"].p * parts[f"swing.line{k}"].Qa for k in (1, 2))
            power -= 3000 * a.arm.v[0] ** 2
        else:
            power -= {"boom": 4e3, "stick": 3e3}[n] * parts[f"{n}.linkage"].v ** 2
    work = a.system.add("work", Integral()).connect(r=power)
    a.system.output("missing", "J", stored - work.y)
    rows = np.array([[0, 0, 0], [3, 2, 4], [0, 0, 0], [-2, -3, -4], [0, 0, 0]])
    sim = Simulation(a.ode(), [], [table(rows, LEVERS, period=0.3)], "rodas4")
    lost = [f"{n}.lost{k}" for n in JOINTS for k in (1, 2)]
    rec = sim.run(1.5, 2e-5, start=a.rest(POSE), record=["missing", "work.y", *lost], record_period=0.01)
    exchanged = np.ptp(rec["work.y"])
    assert exchanged > 300
    for name in lost:
        assert np.ptp(rec[name]) < 1e-12
    for stretch in range(5):
        inside = slice(30 * stretch, 30 * stretch + 30)
        assert np.ptp(rec["missing"][inside]) < 1e-6 * exchanged
