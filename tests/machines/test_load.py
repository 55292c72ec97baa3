"""Reference machines load, extend each other, name the source of every number, and keep tunables as symbols."""

from pathlib import Path

import pytest
import yaml

from gerotor.codegen.source import c_source
from gerotor.machines import load_machine, reference_machines
from gerotor.machines.describe import rows
from gerotor.machines.load import merge
from gerotor.simulation.simulation import Simulation
from tests.machines.fuzz import arm

pytestmark = pytest.mark.vm


@pytest.mark.parametrize("name", reference_machines())
def test_every_number_has_a_source(name: str) -> None:
    described = rows(load_machine(name))
    assert described
    assert [path for path, _, source in described if len(source) < 3] == []


def test_merge_goes_by_key_and_by_name() -> None:
    base = {"a": 1, "joints": [{"name": "j1", "x": 1, "y": 2}, {"name": "j2"}], "list": [1, 2]}
    over = {"joints": [{"name": "j1", "y": 3}, {"name": "j3"}], "list": [9]}
    assert merge(base, over) == {
        "a": 1, "joints": [{"name": "j1", "x": 1, "y": 3}, {"name": "j2"}, {"name": "j3"}], "list": [9],
    }


def test_variant_changes_only_what_it_names() -> None:
    s, n = load_machine("kaeri-arm"), load_machine("kaeri-arm-n")
    assert [j.rotor_inertia for j in n.tree.joints] == pytest.approx([102.4, 2368.71, 102.4, 102.4, 38.4, 38.4])
    assert [j.rotor_inertia for j in s.tree.joints] == [0.0] * 6
    assert [float(j.body.mass) for j in s.tree.joints if j.body] == [float(j.body.mass) for j in n.tree.joints if j.body]


def test_another_value_of_a_tunable_is_the_same_code(tmp_path: Path) -> None:
    sources = []
    for coulomb in ("400 N*m", "500 N*m"):
        document = {**arm(), "tunable": ["j1.actuator.friction.coulomb"]}
        document["joints"][0]["actuator"]["friction"]["coulomb"] = coulomb
        file = tmp_path / "machine.yaml"
        file.write_text(yaml.safe_dump(document))
        ode = load_machine(file).ode()
        assert ode.parameters.names == ["j1.actuator.friction.coulomb"]
        sources.append(c_source(Simulation(ode, compiled=False).program))
    assert sources[0] == sources[1]
