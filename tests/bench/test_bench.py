"""Benches run and answer in their schema; no number is judged here."""

import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest

from gerotor.bench.accuracy import Point, add_comparison
from gerotor.bench.base import Result, host
from gerotor.bench.peers import mjcf, pinocchio_timer
from gerotor.bench.scenes import bench_scene
from gerotor.bench.step import step_bench
from gerotor.bench.step_range import step_range
from gerotor.bench.work_precision import recommended, work_precision
from gerotor.cli import main
from gerotor.codegen.compiler import find_compiler
from gerotor.errors import InputError
from gerotor.machines import load_machine

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")


def quiet(_: str) -> None:
    pass


def check_schema(document: dict) -> None:  # type: ignore[type-arg]
    assert set(document) == {"name", "host", "rows"}
    assert document["host"] == host()
    assert document["rows"]
    for row in document["rows"]:
        assert set(row) == {"system", "case", "value", "unit"}
        assert row["value"] is None or isinstance(row["value"], float)


@needs_compiler
def test_step() -> None:
    result = step_bench(quiet, steps=20, repeats=2, methods=("hht-alpha",))
    check_schema(result.as_json("step"))
    systems = {r.system for r in result.rows}
    assert {"gerotor hht-alpha", "mujoco Euler", "mujoco implicitfast", "mujoco implicit", "pinocchio ABA"} <= systems
    assert all(r.value > 0 for r in result.rows)


@needs_compiler
def test_missing_peers_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("mujoco", "pinocchio"):
        monkeypatch.setitem(sys.modules, name, None)
    result = step_bench(quiet, steps=5, repeats=1, methods=("hht-alpha",))
    assert {r.system for r in result.rows} == {"gerotor hht-alpha"}
    assert sum("is not installed" in note for note in result.notes) == 2


@needs_compiler
def test_work_precision(tmp_path: Path) -> None:
    result = work_precision("kaeri-arm", quiet, duration=2.0, ladder=(1e-3, 1e-2), repeats=1, methods=("extrapolated", "rk4"),
                            reference=5e-5)
    check_schema(result.as_json("work-precision"))
    assert result.value("extrapolated", "error at 10 ms") < 1e-2
    rk4 = [r for r in result.as_json("x")["rows"] if r["system"] == "rk4"]
    assert rk4[0]["value"] is None
    json.dumps(result.as_json("work-precision"), allow_nan=False)
    assert [len(t.rows) for t in result.tables] == [2, 2]
    assert result.tables[0].rows[1] == ["rk4", "-", "-"]
    assert "real-time limit" in [line.name for line in result.figures[0].lines]


@needs_compiler
def test_step_range() -> None:
    """Few steps and a short circle: none is lost, and the errors stand beside the speed."""
    result = step_range(
        ("kaeri-arm-n",), quiet, duration=2.0, part=1.0, parts=(1, 3, 10), ladder=(1e-2,), repeats=1, reference=5e-5
    )
    check_schema(result.as_json("step-range"))
    ours = "kaeri-arm-n extrapolated"
    assert result.value(ours, "steps tried, 1 ms to 10 ms, 1 s each") == 3
    assert result.value(ours, "of these diverged") == 0
    assert result.value(ours, "largest error of these") < 1e-3
    assert 0 < result.value(ours, "error at 10 ms") < 1e-3
    assert 0 < result.value("kaeri-arm-n hht-alpha", "error at 0.2 ms") < 1e-3


def test_comparison_takes_the_fastest_step_of_no_larger_error() -> None:
    result = Result()
    points = [Point(1e-3, 1e-6, 100.0), Point(2e-3, 2e-6, 200.0), Point(5e-3, 4e-6, 500.0), Point(1e-2, math.inf, math.nan)]
    add_comparison(result, "a", points, Point(2e-4, 2e-6, 10.0))
    assert result.value("a", "speed over hht-alpha at 0.2 ms, error no larger") == 20
    add_comparison(result, "b", points, Point(2e-4, 1e-7, 10.0))
    add_comparison(result, "c", points, Point(2e-4, math.inf, math.nan))
    assert {r.system for r in result.rows} == {"a"}
    assert [note[:2] for note in result.notes] == ["a ", "b:", "c:"]


def test_recommended_step_is_the_largest_of_a_converged_ladder() -> None:
    def curve(*changes: float) -> list[Point]:
        return [Point(float(k), 0.0, 1.0, change) for k, change in enumerate(changes, 1)]

    assert recommended(curve(0.0, 1e-6, 2e-6, 1.0)) == 3
    assert recommended(curve(0.0, 1.0, 0.0)) == 1
    assert recommended(curve(math.inf, 0.0, 0.0)) is None


@needs_compiler
@pytest.mark.parametrize("machine", ["forestry-crane", "forestry-crane-reduced", "four-bar", "rx90", "own"])
def test_work_precision_of_any_machine(machine: str, tmp_path: Path) -> None:
    """The default method at 1 ms is near the reference, and the joints do move."""
    if machine == "own":
        machine = str(tmp_path / "own.yaml")
        Path(machine).write_text("extends: kaeri-arm\nname: own\n")
    scene, what = bench_scene(machine, 0.5)
    assert what == "open-loop sine on every command"
    moved = scene.run("extrapolated", 1e-3)
    assert max(np.ptp(moved[n]) for n in scene.record) > 1e-3
    result = work_precision(machine, quiet, duration=0.5, ladder=(1e-3,), repeats=1, methods=("extrapolated",), reference=5e-5)
    assert result.value("extrapolated", "error at 1 ms") < 1e-3


@needs_compiler
def test_a_method_that_refuses_a_machine_is_left_out() -> None:
    result = work_precision("forestry-crane-reduced", quiet, duration=0.1, ladder=(1e-3,), methods=("hht-alpha", "ros2"))
    assert {r.system for r in result.rows} == {"ros2"}
    assert any(note.startswith("left out: hht-alpha") for note in result.notes)


def test_peer_is_the_same_arm() -> None:
    """Gravity torques of the MJCF model against Pinocchio's tests of the tree: total mass and one pose."""
    mujoco = pytest.importorskip("mujoco")
    tree = load_machine("kaeri-arm-n").tree
    model = mujoco.MjModel.from_xml_string(mjcf(tree, "implicit", 1e-3))
    masses = [float(j.body.mass) for j in tree.joints if j.body] + [float(p.body.mass) for p in tree.payloads]
    assert model.body_mass.sum() == pytest.approx(sum(masses))
    assert model.dof_armature.tolist() == pytest.approx([102.4, 2368.71, 102.4, 102.4, 38.4, 38.4])


def test_pinocchio_runs_a_batch() -> None:
    pytest.importorskip("pinocchio")
    assert pinocchio_timer(load_machine("kaeri-arm").tree, np.zeros(6))(10) > 0


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main_exit(["bench"])
    assert "cold-start" in capsys.readouterr().out
    assert main_exit(["bench", "step", "forestry-crane"]) == 2
    assert "leave the machine out" in capsys.readouterr().err
    assert main_exit(["bench", "nothing"]) == 2
    assert "unknown bench 'nothing'" in capsys.readouterr().err
    with pytest.raises(InputError, match="docking-rig is a rig of several halves"):
        work_precision("docking-rig", quiet)


@needs_compiler
def test_cold_start(tmp_path: Path) -> None:
    file = tmp_path / "bench.json"
    main_exit(["bench", "cold-start", "--quick", "--json", str(file)])
    document = json.loads(file.read_text())
    check_schema(document)
    assert {(r["system"], r["case"]) for r in document["rows"]} >= {("cold", "total"), ("cached", "total")}


def main_exit(arguments: list[str]) -> int:
    try:
        main(arguments)
    except SystemExit as done:
        return int(done.code or 0)
    return 0


def test_rows_that_are_not_finite_become_null() -> None:
    result = Result()
    result.add("a", "b", float("nan"), "s")
    result.add("a", "c", float("inf"), "s")
    assert [r["value"] for r in result.as_json("x")["rows"]] == [None, None]
