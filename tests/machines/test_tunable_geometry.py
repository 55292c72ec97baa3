"""Masses and lengths as tunable parameters, of open trees and closed loops: against files with other numbers."""

import numpy as np
import pytest

from gerotor.errors import InputError
from gerotor.estimation.filter import Filter
from gerotor.estimation.unknown import Measured, Unknown
from gerotor.machines import load_machine
from gerotor.simulation.simulation import Simulation

PATHS = {
    "pivot.position[0]": ("m", 10.0, 10.04), "coupler.origin.position[0]": ("m", 2.0, 1.98),
    "rocker.link.mass": ("kg", 250.0, 310.0), "coupler.link.com[0]": ("m", 4.0, 4.1),
    "crank.link.inertia[2]": ("kg*m^2", 100 / 3, 30.0),
}


def test_closed_loop_equals_a_file_with_the_other_numbers() -> None:
    base = load_machine("four-bar")
    tuned = base.varied({"tunable": list(PATHS)}).assemble().ode()
    other = base.varied({
        "frames": [{"name": "pivot", "position": ["10.04 m", "0 m", "0 m"]}],
        "joints": [
            {"name": "crank", "link": {"inertia": ["0 kg*m^2", "30 kg*m^2", "30 kg*m^2"]}},
            {"name": "coupler", "origin": {"position": ["1.98 m", "0 m", "0 m"]}, "link": {"com": ["4.1 m", "0 m", "0 m"]}},
            {"name": "rocker", "link": {"mass": "310 kg"}},
        ],
    }).assemble().ode()
    assert dict(zip(tuned.parameters.names, tuned.parameters.array("start"), strict=True)) == pytest.approx(
        {path: first for path, (_, first, _) in PATHS.items()})
    assert {e.name: e.unit for e in tuned.parameters} == {path: unit for path, (unit, _, _) in PATHS.items()}
    x = tuned.states.pack({"arm.v.crank": 0.2})
    p = tuned.parameters.pack({path: new for path, (_, _, new) in PATHS.items()})
    here = tuned.states.indices([n for n in tuned.states.names if ".guess." not in n])
    np.testing.assert_allclose(tuned.derivative_at(x, p=p)[here], other.derivative_at(x)[here], rtol=1e-9)
    assert abs(tuned.derivative_at(x) - other.derivative_at(x))[here].max() > 1e-3


def test_open_tree_equals_a_file_with_the_other_mass() -> None:
    base = load_machine("kaeri-arm")
    mass = base.file.joints[2].link.mass
    tuned = base.varied({"tunable": ["j3.link.mass"]}).assemble().ode()
    other = base.varied({"joints": [{"name": "j3", "link": {"mass": f"{mass + 20} kg"}}]}).assemble().ode()
    x = np.full(len(tuned.states), 0.1)
    np.testing.assert_allclose(tuned.derivative_at(x, p=[mass + 20]), other.derivative_at(x), rtol=1e-9, atol=1e-9)


def test_filter_finds_where_a_ground_pivot_is() -> None:
    """From the angles of crank and rocker, each to 1 mrad, in half a second of motion: 10.04 m instead of 10 m."""
    made = load_machine("four-bar").varied({"tunable": ["pivot.position[0]"]}).assemble()
    ode, start = made.ode(), made.balance(given={"crank.side_1.p": 1e6})
    angles = ("arm.q.crank", "arm.z.rocker")
    run = Simulation(ode, method="trapezoid").run(
        0.5, 1e-3, start=start, parameters={"pivot.position[0]": 10.04}, inputs={"crank.u": 0.8},
        record=angles, record_period=1e-3,
    )
    o = run.values[:, 1:] + 1e-3 * np.random.default_rng(0).normal(size=(len(run), 2))
    unknowns = [Unknown(name=n, std=1e5) for n in ("crank.side_1.p", "crank.side_2.p")]
    unknowns += [Unknown(name=n, std=0.01) for n in ("arm.q.crank", "arm.v.crank")]
    unknowns += [Unknown(name="pivot.position[0]", std=0.1)]
    measured = [Measured(name=n, std=1e-3) for n in angles]
    found = Filter(ode, unknowns, measured, period=1e-3).run(run.time, np.full((len(run), 1), 0.8), o, start=start)
    mean, std = found.final()["pivot.position[0]"]
    assert abs(mean - 10.04) < 4 * std and std < 2e-3


def test_unknown_path_is_named() -> None:
    with pytest.raises(InputError, match=r"tunable 'rocker\.link\.weight' names no parameter"):
        load_machine("four-bar").varied({"tunable": ["rocker.link.weight"]}).assemble()
