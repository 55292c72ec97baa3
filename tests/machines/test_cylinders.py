"""Cylinders between any two frames, variable payloads and open trees: against the two-bar, distances and virtual work."""

import copy
from typing import Any

import numpy as np
import pytest

from gerotor.core.layout import Entry, Layout
from gerotor.core.table import Table
from gerotor.errors import InputError, WiringError
from gerotor.machines import load_machine
from gerotor.machines.load import validate
from gerotor.machines.machine import Machine
from gerotor.realtime.rods import rods_of
from gerotor.simulation.closed_loop import closed_loop
from gerotor.simulation.simulation import Simulation
from gerotor.simulation.tasks import Hold

EYES = [
    {"name": "anchor", "joint": None, "position": ["-1 m", "0 m", "0 m"], "source": "test"},
    {"name": "eye", "joint": "crank", "position": ["1 m", "0 m", "0 m"], "source": "test"},
    {"name": "high", "joint": None, "position": ["3 m", "-1 m", "0.5 m"], "source": "test"},
    {"name": "middle", "joint": "coupler", "position": ["3 m", "0.2 m", "0 m"], "source": "test"},
]


def machine(a: str | None = "anchor", b: str | None = "eye", **changes: Any) -> Machine:
    """The four-bar with its cylinder taken from the joint and put between two frames."""
    base = load_machine("four-bar")
    document = copy.deepcopy(dict(base.document))
    crank = document["joints"][0]
    section = crank.pop("actuator")
    del section["geometry"]
    crank["actuator"] = {"kind": "free", "source": "test"}
    document["frames"] += EYES
    section["cylinder"] |= changes.pop("cylinder", {})
    cylinder = {"name": "lift", "a": a, "b": b, "joint": "crank", "actuator": section, "source": "test"}
    document["cylinders"] = [cylinder | changes.pop("spec", {})]
    document |= changes
    return Machine(validate(document, base.path), document, base.path)


def test_equals_the_two_bar_on_the_joint() -> None:
    old, new = load_machine("four-bar").assemble(), machine().assemble()
    t = np.arange(501) * 1e-3
    runs = []
    for made, name in ((old, "crank"), (new, "lift")):
        command = Table("command", 1e-3, np.sin(2 * t)[:, None], Layout((Entry(f"{name}.u"),)))
        start = made.balance(given={f"{name}.side_1.p": 1e6})
        record = ["arm.q.crank", f"{name}.geometry.l", f"{name}.geometry.v", f"{name}.side_1.p", f"{name}.side_2.p"]
        runs.append(Simulation(made.ode(), tables=[command]).run(0.5, 1e-3, start=start, record=record).values)
    np.testing.assert_allclose(runs[1], runs[0], rtol=1e-8, atol=1e-10)


def test_across_two_joints_length_speed_and_work() -> None:
    """From the ground past the crank to the coupler, out of the plane: l is the distance, F l' the power at the joints."""
    eyes = ("high", "middle")
    made = machine(*eyes, cylinder={"retracted_length": "2.3 m", "stroke": "2 m"}).assemble(positions=eyes)
    ode = made.ode()
    start = made.balance(given={"lift.side_1.p": 1e6})
    rates = ode.derivative_at(ode.states.pack(start))
    assert np.abs(rates / ode.states.array("scale")).max() < 1e-6
    x = ode.states.pack(start | {"arm.v.crank": 0.3, "lift.side_1.p": 3e6})
    names = ode.outputs.names
    y = dict(zip(names, np.array(ode.function("y", ode.y)(x, [0.0], [], 0)).ravel(), strict=True))
    high, middle = (np.array([y[f"arm.{f}.{axis}"] for axis in "xyz"]) for f in eyes)
    assert y["lift.geometry.l"] == pytest.approx(np.linalg.norm(middle - high), rel=1e-12)
    joints = ("crank", "coupler", "rocker")
    power = sum(y[f"lift.geometry.tau.{j}"] * y[f"arm.w.{j}"] for j in joints)
    force = y["lift.cylinder.F"] - y["lift.friction.F"]
    assert abs(power) > 1 and power == pytest.approx(force * y["lift.geometry.v"], rel=1e-12)
    record = ["lift.geometry.l", "lift.geometry.v"]
    run = Simulation(ode).run(0.3, 1e-3, start=start, inputs={"lift.u": 0.5}, record=record, record_period=1e-3)
    slope = np.gradient(run["lift.geometry.l"], 1e-3)[5:-5]
    assert np.abs(slope).max() > 1e-3
    np.testing.assert_allclose(run["lift.geometry.v"][5:-5], slope, atol=2e-5)


def test_commands_and_drawing_know_it() -> None:
    made = machine().assemble()
    assert made.driven == {"crank": "lift.u"} and made.commands == ["lift.u", "", ""]
    rod, = rods_of(made.machine)
    assert (rod.from_frame, rod.from_point, rod.to_frame, rod.to_point) == (None, (-1, 0, 0), "crank", (1, 0, 0))


def test_joint_controller_moves_it() -> None:
    """As it moves the cylinder on the joint."""
    ends = []
    for made in (load_machine("four-bar").assemble(), machine().assemble()):
        parts, tables, _ = closed_loop(Hold(kind="hold"), "crank", made, 2.0, {"crank": 1.0})
        run = Simulation(made.ode(), parts, tables).run(2.0, 1e-3, start=made.rest({"crank": 1.03}), record=["arm.q.crank"])
        ends.append(run["arm.q.crank"][-1])
    assert ends[1] == pytest.approx(ends[0], abs=1e-8) and abs(ends[1] - 1.0) < 0.015


def test_open_tree_rests_on_its_cylinder() -> None:
    """The crank alone, from which coupler and rocker are taken: A1 p1 - A2 p2 holds its weight."""
    base = machine()
    document = copy.deepcopy(dict(base.document))
    document |= {"joints": document["joints"][:1], "frames": EYES[:2], "loops": [], "assembly": None}
    made = Machine(validate(document, base.path), document, base.path).assemble()
    rest = made.rest({"crank": 1.0})
    force = -100 * 9.81 * np.cos(1.0) / np.sin(0.5)
    assert 2e-3 * rest["lift.side_1.p"] - 1.8e-3 * rest["lift.side_2.p"] == pytest.approx(force, rel=1e-6)


def test_variable_payload_in_a_closed_loop() -> None:
    """A load of 300 kg as an input is a load of 300 kg in the file."""
    load = {"name": "load", "frame": "middle", "mass": "300 kg", "source": "test"}
    fixed, varied = (machine(payloads=[load | {"variable": v}]).assemble().ode() for v in (False, True))
    x = fixed.states.pack({"arm.v.crank": 0.4})
    assert "load.mass" in varied.inputs and "load.mass" not in fixed.inputs
    u = varied.inputs.pack({"load.mass": 300.0})
    np.testing.assert_allclose(varied.derivative_at(x, u), fixed.derivative_at(x), rtol=1e-12)
    lighter = varied.derivative_at(x, varied.inputs.pack({"load.mass": 0.0}))
    assert abs(lighter - fixed.derivative_at(x)).max() > 1e-3


@pytest.mark.parametrize("spec,error,text", [
    ({"a": "nowhere"}, WiringError, "unknown frame 'nowhere'"),
    ({"a": "anchor", "b": "pivot"}, InputError, "sit on the same body"),
    ({"joint": "boom"}, InputError, "lift.joint: unknown joint without a drive 'boom'"),
    ({"actuator": {"kind": "servo-motor"}}, InputError, "unknown cylinder 'servo-motor'"),
    ({"name": "crank"}, InputError, "duplicate name crank"),
])
def test_wrong_cylinders_are_named(spec: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        machine(spec=spec).assemble()


def test_linkage_has_no_place_between_frames() -> None:
    made = machine()
    section = made.document["cylinders"][0]["actuator"] | {"geometry": {"source": "test"}}
    with pytest.raises(InputError, match="unknown key 'geometry'"):
        machine(spec={"actuator": section}).assemble()
