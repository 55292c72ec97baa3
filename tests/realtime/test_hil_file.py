"""Rigs from files: the example, the published set, a machine file, and damaged files."""

import copy
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gerotor.cli.hil import conduct
from gerotor.errors import GerotorError, InputError
from gerotor.machines import load_machine
from gerotor.realtime.hil_file import load_hil

EXAMPLE = Path(__file__).parents[2] / "src/gerotor/examples" / "hil" / "spring_docking.yaml"
DOCUMENT = yaml.safe_load(EXAMPLE.read_text())


def written(folder, document):
    path = folder / "hil.yaml"
    path.write_text(yaml.safe_dump(document))
    return path


def test_example_has_the_published_critical_delay_and_runs():
    file, loop = load_hil(EXAMPLE)
    assert loop.linear(sampled=False).critical().critical * 1e3 == pytest.approx(8.658, abs=5e-4)
    run = conduct(loop, file.duration)
    assert run["stiffness.z"][-1] == pytest.approx(5e4, rel=0.02)
    assert abs(run["contact.x"][-500:]).max() < 4e-3


def test_docking_set_from_a_file(tmp_path):
    document = copy.deepcopy(DOCUMENT)
    del document["chain"], document["start"]
    document["docking"] = {"set": "table-1"}
    document["axes"] = [{"name": "z", "force": "F.z", "position": "point.l.z", "velocity": "point.v.z", "stiffness": "5e4 N/m",
                         "damping": "100 N*s/m", "sign": 1}]
    _, loop = load_hil(written(tmp_path, document))
    assert loop.linear(sampled=False).critical().critical * 1e3 == pytest.approx(2.475, abs=1e-3)


def test_machine_file_with_a_contact_at_its_tool(tmp_path):
    """A hydraulic arm pressing on a spring: modes and margins of a machine that knows nothing of the interface."""
    frame = load_machine("kaeri-arm").file.frames[0].name
    document = copy.deepcopy(DOCUMENT)
    del document["chain"], document["start"]
    document["machine"] = {"file": "kaeri-arm", "frame": frame}
    document["axes"] = [{"name": "z", "force": f"F.{frame}.z", "position": f"contact.{frame}.z",
                         "velocity": f"contact.{frame}.z_rate", "stiffness": "1e4 N/m", "damping": "100 N*s/m"}]
    _, loop = load_hil(written(tmp_path, document))
    assert all(m.frequency > 0 for m in loop.margins(0.02))


def test_mistakes_are_named(tmp_path):
    wrong = copy.deepcopy(DOCUMENT)
    wrong["interface"]["kind"] = "magic"
    with pytest.raises(InputError, match=r"interface\.kind"):
        load_hil(written(tmp_path, wrong))
    wrong = copy.deepcopy(DOCUMENT)
    wrong["docking"] = {"set": "table-1"}
    with pytest.raises(InputError, match="exactly one"):
        load_hil(written(tmp_path, wrong))
    wrong = copy.deepcopy(DOCUMENT)
    wrong["chain"]["between"] = [2, 9]
    with pytest.raises(InputError, match="between"):
        load_hil(written(tmp_path, wrong))
    wrong = copy.deepcopy(DOCUMENT)
    wrong["axes"][0]["position"] = "contact.y"
    with pytest.raises(GerotorError, match=r"contact\.x"):
        load_hil(written(tmp_path, wrong))


leaf = st.one_of(
    st.none(), st.integers(-9, 9), st.floats(), st.text(max_size=8), st.just("5 kg"), st.lists(st.integers(0, 3), max_size=3),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_damaged_files_never_crash(tmp_path_factory, data):
    document = copy.deepcopy(DOCUMENT)
    node = document
    while isinstance(node, dict | list) and node:
        key = data.draw(st.sampled_from(sorted(node) if isinstance(node, dict) else range(len(node))))
        if not isinstance(node[key], dict | list) or data.draw(st.booleans()):
            if data.draw(st.booleans()):
                node[key] = data.draw(leaf)
            else:
                del node[key]
            break
        node = node[key]
    try:
        load_hil(written(tmp_path_factory.mktemp("hil"), document))
    except GerotorError as error:
        assert "\n" not in str(error)


def test_a_stiffness_beyond_reckoning_is_told(tmp_path):
    document = copy.deepcopy(DOCUMENT)
    document["axes"][0]["stiffness"] = "1e30 N/m"
    with pytest.raises(GerotorError, match="runs away"):
        load_hil(written(tmp_path, document))[1].margins()
