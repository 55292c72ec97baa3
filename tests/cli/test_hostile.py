"""Whatever is typed ends in one line and exit code 2: files that are none, folders that cannot be written, full disks."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import gerotor.cli.study
from gerotor.simulation.recording import Recording
from gerotor.studies.base import Claim, Result, Study
from tests.machines.fuzz import answer, assert_refused

EXAMPLES = Path(__file__).parents[2] / "examples"
PLACES = ["", "nobody", "folder", "folder.yaml", "/dev/null", "/dev/full", "no/where.yaml", "a\0b.yaml", "x" * 5000 + ".yaml",
          "[bold].yaml", "-1"]
ESTIMATE = ["--machine", "four-bar", "--config", str(EXAMPLES / "estimate" / "four-bar.yaml")]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("folder", "folder.yaml", "folder.parquet"):
        (tmp_path / name).mkdir()


@pytest.mark.parametrize("place", PLACES, ids=lambda p: p[:12])
@pytest.mark.parametrize("command", [
    ["describe"], ["run"], ["study"], ["hil"], ["replay"], ["live"], ["bench", "work-precision"], ["bench", "step-range"],
    ["bench", "cold-start"],
], ids=lambda c: c[-1])
def test_what_is_asked_for_is_not_there(command: list[str], place: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(assert_refused([*command, "--", place], capsys)) < 700


@pytest.mark.parametrize("place", PLACES, ids=lambda p: p[:12])
def test_no_data_to_estimate_from(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert_refused(["estimate", *ESTIMATE, "--", place], capsys)


def small() -> Study:
    claim = Claim("C1", "statement", 1.0, 2.0, "s", "holds")
    return Study("small", "title", "[kim2021]", lambda watch: Result("arm", "rk4", 1e-3, 1.0, 0.1, [claim]))


@pytest.mark.parametrize("place", ["/dev/full", "/dev/null/x", "/proc/x", "folder", "x" * 3000], ids=lambda p: p[:12])
def test_results_that_cannot_be_written(place: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(gerotor.cli.study, "find_study", lambda name: small())
    assert "cannot be written" in assert_refused(["study", "small", "--json", place], capsys)
    if place != "folder":
        assert "cannot be written" in assert_refused(["study", "small", "--report", place], capsys)


def test_the_place_of_a_json_file_is_checked_first(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def never(watch: object) -> Result:
        raise AssertionError("ran")

    monkeypatch.setattr(gerotor.cli.study, "find_study", lambda name: Study("small", "title", "[kim2021]", never))
    assert "folder: cannot be written (Is a directory)" in assert_refused(["study", "small", "--json", "folder"], capsys)
    assert not answer(["study"], capsys)[0]


def recorded() -> Recording:
    return Recording(["a", "b"], ["m", "Pa"], np.arange(30.0).reshape(10, 3), {"machine": "kaeri-arm"})


def table(facts: object, **columns: object) -> pa.Table:
    return pa.table(columns).replace_schema_metadata({"gerotor": facts if isinstance(facts, str) else json.dumps(facts)})


BROKEN = {
    "text": table({}, time=["x", "y"]), "no columns": pa.table({}), "list of facts": table([1], time=[0.0]),
    "torn facts": table("{", time=[0.0]), "odd machine": table({"machine": 7, "stage": [1]}, time=[0.0]),
    "few joints": table({"machine": "kaeri-arm"}, time=[0.0, 1.0]),
}


@pytest.mark.parametrize("case", BROKEN)
def test_recordings_of_something_else(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pq.write_table(BROKEN[case], tmp_path / "odd.parquet")
    assert_refused(["replay", "odd.parquet"], capsys)
    assert_refused(["estimate", "odd.parquet", *ESTIMATE], capsys)


def test_recordings_torn_anywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = recorded().save(tmp_path / "whole.parquet").read_bytes()
    lines = recorded().save(tmp_path / "whole.csv").read_text()
    for size in (0, 4, 100, len(whole) // 2, len(whole) - 1):
        (tmp_path / "torn.parquet").write_bytes(whole[:size])
        assert "torn.parquet: not a recording" in assert_refused(["replay", "torn.parquet"], capsys)
    (tmp_path / "junk.parquet").write_bytes(b"PAR1" + bytes(range(256)) * 4 + b"PAR1")
    assert_refused(["replay", "junk.parquet"], capsys)
    for text in ("", lines.splitlines()[0], lines[:-30], lines.replace("3", "x"), "\0" * 50, "\ufffd,\n"):
        (tmp_path / "torn.csv").write_text(text)
        assert_refused(["replay", "torn.csv"], capsys)


@pytest.mark.parametrize("option", [
    ["--host", "nowhere.invalid"], ["--host", "203.0.113.7"], ["--port", "-1"], ["--port", "70000"], ["--scale", "nan"],
    ["--rate", "0"], ["--rate", "nan"], ["--step", "0"], ["--step", "1e-300"], ["--step", "nan"], ["--integrator", "rk5"],
    ["--policy", "hurry"], ["--scenario", "dance"], ["--frames", "0"], ["--seconds", "soon"], ["--record", "/dev/full"],
], ids=" ".join)
def test_live_options(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("viser")
    assert_refused(["live", "kaeri-arm", "--seconds", "0.1", "--port", "0", *option], capsys)


def test_live_without_a_compiler_says_so_at_once(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("viser")
    from gerotor.realtime import shared

    shared.native.cache_clear()
    monkeypatch.setattr(shared, "find_compiler", lambda: None)
    assert "needs a C compiler: install gcc" in assert_refused(["live", "kaeri-arm", "--seconds", "0.1", "--port", "0"], capsys)
