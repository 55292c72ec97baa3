"""A machine left alone in its trim stands still, whatever leaks; one that cannot starts at rest and moves."""

from pathlib import Path

import numpy as np
import pytest

from gerotor.machines import load_machine, reference_machines
from gerotor.simulation.scenario import prepare, read_scenario
from gerotor.simulation.simulation import Simulation

PENDULUM = """
name: pendulum
title: a rod on a pin
source: worked by hand
joints:
  - name: pin
    type: revolute
    source: worked by hand
    axis: [0, 1, 0]
    link: {mass: 2 kg, com: [0.5 m, 0 m, 0 m], inertia: [0 kg*m^2, 0.1 kg*m^2, 0.1 kg*m^2], source: worked by hand}
"""


@pytest.mark.parametrize("name", sorted(reference_machines()))
def test_stands_still(name: str, tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text(f"machine: {name}\nduration: 2 s\nstep: 2 ms\n")
    made = prepare(read_scenario(tmp_path / "s.yaml"))
    run = made.run()
    ode = made.simulation.ode
    locks = any(block.rate is not None for block in ode.blocks)  # there a speed is what the joint starts again with
    for entry in ode.states:
        if not (locks and entry.name.startswith("arm.v.")):
            assert np.abs(run[entry.name] - run[entry.name][0]).max() < 1e-5 * entry.scale, entry.name


def test_leaks_are_made_up_for_by_the_valves() -> None:
    """What leaks from line 1 to line 2 comes through the valve: Q = 2 L dp at a pressure in the middle."""
    made = load_machine("kaeri-arm").assemble()
    found = made.trim({"j3": 0.1})
    assert found["j3.i"] > 0 and found["arm.q.j3"] == 0.1
    shut = made.rest({"j3": 0.1})
    assert abs(found["j3.line_1.p"] - shut["j3.line_1.p"]) < 1e4
    sinking = Simulation(made.ode()).run(2.0, 2e-3, start=shut, record=["arm.q.j3"])
    assert abs(sinking["arm.q.j3"][-1] - 0.1) > 1e-4


def test_a_pendulum_off_its_lowest_point_swings(tmp_path: Path) -> None:
    (tmp_path / "pendulum.yaml").write_text(PENDULUM)
    (tmp_path / "s.yaml").write_text("machine: pendulum.yaml\nduration: 1 s\nstep: 1 ms\nstart: {pin: 10 deg}\n")
    run = prepare(read_scenario(tmp_path / "s.yaml"), tmp_path).run()
    assert np.ptp(run["arm.q.pin"]) > 0.5
