"""Runs just below and above the predicted critical delay of one set, and the crossing between them."""

import pytest

from gerotor.machines.docking_rig.values import load_rig
from gerotor.simulation.simulation import Simulation
from gerotor.studies.docking.sweep import PERIOD, Sweep, growth, hil_loop

RIG = load_rig()


def test_growth_changes_sign_at_the_critical_delay():
    name = "table-3-I"
    loop = hil_loop(RIG, name, 0.0)
    linear, pure = loop.linear(), loop.linear(sampled=False)
    critical = linear.critical(0.03).critical
    assert critical == pytest.approx(pure.critical(0.03).critical - PERIOD / 2, abs=1e-5)
    late = hil_loop(RIG, name, 1.2 * critical)
    simulation = Simulation(late.machine, [late.sampled()], method="rk4")
    below, above = (growth(late, simulation, f * critical, 20.0) for f in (0.8, 1.2))
    assert below < 0 < above
    assert above == pytest.approx(max(s.real for s in linear.growth(1.2 * critical)), rel=0.15)


def test_crossing_by_a_straight_line():
    found = Sweep("x", (1.0, 2.0, 3.0), (-2.0, -1.0, 1.0), 2.4, 2.5, 1.0)
    assert found.found == pytest.approx(2.5)
    assert found.changes_once
    assert not Sweep("x", (1.0, 2.0, 3.0), (-2.0, 1.0, 1.0), 2.4, 2.5, 1.0).changes_once
