"""The rig's file: complete, sourced, and refused in words when wrong."""

import copy

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gerotor.errors import GerotorError, InputError
from gerotor.machines.docking_rig import values
from gerotor.machines.docking_rig.dynamics import start
from gerotor.machines.docking_rig.parameters import values as parameter_values
from gerotor.machines.docking_rig.physical import drive, geometry, platform
from gerotor.machines.docking_rig.values import load_rig, parse_rig
from gerotor.machines.load import read_yaml

DOCUMENT = load_rig().model_dump(exclude_none=True)


def use(rig):
    """Everything that reads numbers from the file."""
    geometry(rig), drive(rig, 70.0), platform(rig)
    for name in rig.sets:
        parameter_values(rig, name, stiffening=True)
        start(rig, name)


def test_reference_file_holds_the_published_sets():
    rig = load_rig()
    use(rig)
    assert list(rig.sets) == ["table-1", "table-2", "table-3-I", "table-3-II", "table-4"]
    p = parameter_values(rig, "table-3-II")
    assert [p[f"dynamics.mass.{k}"] for k in range(3)] == [50000, 200, 500]
    assert p["dynamics.arm_stiffness.0"] == 1e5
    assert p["contact.stiffness.2"] == 5e4


def test_mistakes_are_named():
    wrong = copy.deepcopy(DOCUMENT)
    wrong["sets"]["table-1"]["masses"]["value"] = ["5 m", "300 kg", "2000 kg"]
    with pytest.raises(InputError, match=r"sets.table-1.masses\[0\].*wrong dimension"):
        parameter_values(parse_rig(wrong, "x"), "table-1")
    with pytest.raises(InputError, match="table-3-I"):
        load_rig().set("table-3-i")
    wrong["colour"] = "red"
    with pytest.raises(InputError, match="colour"):
        parse_rig(wrong, "x")


leaf = st.one_of(
    st.none(), st.integers(-9, 9), st.floats(), st.text(max_size=8), st.lists(st.text(max_size=4), max_size=3), st.just("5 kg"),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_damaged_files_never_crash(data):
    document = copy.deepcopy(DOCUMENT)
    node = document
    while isinstance(node, dict) and node:
        key = data.draw(st.sampled_from(sorted(node)))
        if not isinstance(node[key], dict) or data.draw(st.booleans()):
            if data.draw(st.booleans()):
                node[key] = data.draw(leaf)
            else:
                del node[key]
            break
        node = node[key]
    try:
        use(parse_rig(document, "damaged"))
    except GerotorError as error:
        assert "\n" not in str(error)


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=300))
def test_random_bytes_never_crash(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("rig") / "rig.yaml"
    path.write_bytes(content)
    with pytest.raises(GerotorError):
        load_rig(path)


def test_file_on_disk_is_what_is_loaded(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(DOCUMENT))
    assert read_yaml(path)["name"] == "docking-rig"
    assert load_rig(path) == values.load_rig()
