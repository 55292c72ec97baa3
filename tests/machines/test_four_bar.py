"""The hydraulic four-bar: static start and working cycle, worked independently from the same numbers."""

import math

import numpy as np
import pytest

from gerotor.core.layout import Entry, Layout
from gerotor.core.table import Table
from gerotor.errors import InputError, NoSolutionError
from gerotor.machines import load_machine
from gerotor.machines.load import merge, validate
from gerotor.machines.machine import Machine
from gerotor.simulation.simulation import Simulation

CYCLE = {  # t: s [m], ds/dt [m/s], p_p, p_1, p_2 [MPa]
    0.5: (1.7334, 0.0133, 7.231, 1.917, 2.799),
    1.25: (1.7609, 0.0473, 6.261, 1.831, 3.720),
    2.5: (1.7922, 0.000, 7.598, 1.684, 4.457),
    3.75: (1.7720, -0.0333, 6.736, 2.299, 4.952),
    5.0: (1.7497, 0.000, 7.599, 2.913, 4.904),
}
SIGNALS = ["crank.geometry.l", "crank.geometry.v", "crank.pump_line.p", "crank.side_1.p", "crank.side_2.p"]


def changed(**over) -> Machine:
    base = load_machine("four-bar")
    document = merge(base.document, over)
    return Machine(validate(document, base.path), document, base.path)


def test_static_start() -> None:
    """p2 from p1 A1 - p2 A2 = -2412.53 N; the relief branch takes the pump's flow at 7.6 MPa."""
    rest = load_machine("four-bar").assemble().balance(given={"crank.side_1.p": 1e6})
    assert rest["crank.side_2.p"] == pytest.approx(2.451406e6, abs=1.0)
    assert rest["crank.pump_line.p"] == pytest.approx(7.6e6, rel=1e-6)
    assert rest["crank.side_1.p"] == 1e6


def test_static_start_elsewhere() -> None:
    angle = 2 * math.acos(1.62 / 2)
    assert math.degrees(angle) == pytest.approx(71.808, abs=5e-4)
    made = load_machine("four-bar").assemble()
    rest = made.balance(q={"crank": angle}, given={"crank.side_1.p": 2e6})
    assert rest["crank.side_2.p"] == pytest.approx(1.906951e6, abs=1.0)
    rates = made.ode().derivative_at(made.ode().states.pack(rest))
    assert np.abs(rates / made.ode().states.array("scale")).max() < 1e-7


@pytest.mark.vm
@pytest.mark.parametrize("method", ["trapezoid", "ros2"])
def test_working_cycle(method: str) -> None:
    machine = load_machine("four-bar").assemble()
    t = np.arange(5001) * 1e-3
    command = Table("command", 1e-3, np.sin(0.4 * np.pi * t)[:, None], Layout((Entry("crank.u"),)))
    simulation = Simulation(machine.ode(), tables=[command], method=method)
    run = simulation.run(5, 1e-3, start=machine.balance(given={"crank.side_1.p": 1e6}), record=SIGNALS, record_period=1e-3)
    for time, (s, v, *pressures) in CYCLE.items():
        row = run.values[round(time * 1000), 1:]
        assert row[0] == pytest.approx(s, abs=1e-3)
        assert row[1] == pytest.approx(v, abs=1e-3)
        assert row[2:] / 1e6 == pytest.approx(pressures, abs=0.02)
    assert run.facts["warnings"] == []


def test_cracking_relief_has_the_same_balance() -> None:
    relief = {"cracking_pressure": "7.0 MPa", "gain": "2e-9 m^3/s/Pa", "corner": "5e4 Pa", "source": "assumed: cracks at 7.1 MPa"}
    base = load_machine("four-bar")
    document = merge(base.document, {})
    next(j for j in document["joints"] if j["name"] == "crank")["actuator"]["relief"] = relief
    machine = Machine(validate(document, base.path), document, base.path)
    rest = machine.assemble().balance(given={"crank.side_1.p": 1e6})
    assert rest["crank.pump_line.p"] == pytest.approx(7.6e6, abs=2e3)


def test_open_machine_starts_in_balance_too() -> None:
    made = load_machine("kaeri-arm").assemble()
    rest = made.balance()
    ode = made.ode()
    rates = ode.derivative_at(ode.states.pack({k: v for k, v in rest.items() if k in ode.states}))
    assert np.abs(rates / ode.states.array("scale")).max() < 1e-6


def test_faulty_files_are_named() -> None:
    with pytest.raises(InputError, match="length belongs to a loop of kind distance"):
        changed(loops=[{"name": "ground", "kind": "distance"}])
    with pytest.raises(InputError, match=r"assembly\.start: unknown joint 'crnk'"):
        changed(assembly={"start": {"crnk": "1 deg"}}).ode()
    with pytest.raises(NoSolutionError, match="loop 'ground' cannot be closed"):
        changed(frames=[{"name": "pivot", "position": ["40 m", "0 m", "0 m"]}]).ode()
    with pytest.raises(InputError, match="unknown independent joint 'rocker'"):
        load_machine("four-bar").assemble().balance(q={"rocker": 0.3})


def test_rest_without_a_given_pressure_keeps_pressures_usual() -> None:
    rest = load_machine("four-bar").assemble().rest()
    pressures = [rest[f"crank.{n}.p"] for n in ("side_1", "side_2")]
    assert min(pressures) > 1e6 and max(pressures) < 7.6e6
