"""Frequencies and critical delays of all published sets, from the machine itself."""

import numpy as np
import pytest

from gerotor.machines.docking_rig.dynamics import ideal
from gerotor.machines.docking_rig.parameters import values
from gerotor.machines.docking_rig.values import load_rig
from gerotor.realtime.hil import HilLoop
from gerotor.studies.docking.sweep import hil_loop

RIG = load_rig()


@pytest.mark.parametrize(("name", "modes", "digits"), [
    ("table-2", [0.356, 0.491, 0.508, 0.915, 1.030, 1.041, 1.958, 2.319, 2.426], 3),
    ("table-4", [0.596, 0.953, 0.987, 2.01, 2.25, 2.27, 3.73, 3.93, 4.03], 2),
])
def test_damped_frequencies_of_the_six_axis_sets(name, modes, digits):
    found = [s.imag / (2 * np.pi) for s in hil_loop(RIG, name, 0.0).linear(sampled=False).start()]
    np.testing.assert_allclose(found, modes, atol=0.6 * 10.0**-digits)


@pytest.mark.parametrize(("name", "critical", "hertz"), [
    ("table-1", 2.475, 0.700), ("table-2", 11.19, 2.326), ("table-3-I", 8.658, 2.124), ("table-3-II", 6.307, 1.278),
    ("table-4", 9.90, 4.007),
])
def test_critical_delays(name, critical, hertz):
    mode = hil_loop(RIG, name, 0.0).linear(sampled=False).critical(0.03)
    assert 1e3 * mode.critical == pytest.approx(critical, abs=5e-4 if len(str(critical)) == 5 and critical < 9 else 5e-3)
    assert mode.critical_frequency == pytest.approx(hertz, abs=6e-4)


def test_critical_delay_at_the_peak_of_the_triangle():
    loop = hil_loop(RIG, "table-2", 0.0)
    axes = [type(a)(a.name, a.force, a.position, a.velocity, 2 * a.stiffness, 2 * a.damping, sign=a.sign) for a in loop.axes]
    doubled = HilLoop(loop.ode, axes, loop.interface, parameters=loop.parameters, start=loop.start, about=loop.about)
    mode = doubled.linear(sampled=False).critical(0.02)
    assert 1e3 * mode.critical == pytest.approx(8.73, abs=5e-3)
    assert mode.critical_frequency == pytest.approx(3.218, abs=6e-4)


def test_growth_of_table_2_and_4():
    six = hil_loop(RIG, "table-2", 0.0).linear(sampled=False)
    assert max(s.real for s in six.growth(12.5e-3)) == pytest.approx(0.126, abs=6e-4)
    assert max(s.real for s in six.growth(15e-3)) == pytest.approx(0.365, abs=6e-4)
    rope = hil_loop(RIG, "table-4", 0.0).linear(sampled=False).growth(14.3e-3)
    assert sorted(round(s.real, 3) for s in rope if s.real > 0) == [0.375, 0.817]


def test_parameter_values_are_those_of_the_ode():
    assert set(values(RIG, "table-1")) == set(ideal(RIG).parameters.names)
