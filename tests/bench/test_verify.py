"""Verify: right on a shipped machine, and wrong or refused where a method is."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from gerotor.bench import verify
from gerotor.bench.verify import Course, _tried
from gerotor.cli import main
from gerotor.codegen.compiler import find_compiler
from gerotor.realtime.stages import scenarios

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="needs a C compiler")


@needs_compiler
def test_default_method_on_the_four_bar() -> None:
    found = verify.verify(["four-bar"], lambda _: None, kinds=("operate",), steps=(1e-3, 1e-2), runs=2, duration=2.0)
    assert [(r.runs, r.right, r.wrong) for r in found.rows] == [(2, 2, 0), (2, 2, 0)]


@needs_compiler
def test_a_wrong_run_is_called_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same runs with limits that no method can keep."""
    monkeypatch.setattr(verify, "POSITION", 0.0)
    course = Course(scenarios("four-bar")["operate"](), 4.0)
    monkeypatch.setattr(course, "reference", lambda seed: course.run("sdirk2", 1e-3, seed)[0])
    rows = [verify.Row("four-bar", "operate", "trapezoid", 1e-2)]
    assert _tried(course, rows, 3)[0][0] == "wrong"


@needs_compiler
def test_a_failed_step_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    course = Course(scenarios("four-bar")["operate"](), 1.0)
    exact = course.run("sdirk2", 1e-3, 3)[0]
    monkeypatch.setattr(course, "reference", lambda seed: exact)
    run = course.run

    def rough(*given: object, **more: object) -> object:
        states, status, world = run(*given, **more)  # type: ignore[arg-type]
        world.c.failed = 1
        return states, status, world

    monkeypatch.setattr(course, "run", rough)
    assert _tried(course, [replace(verify.Row("four-bar", "operate", "extrapolated", 1e-2))], 3)[0][0] == "refused"


@needs_compiler
def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "v.json"
    with pytest.raises(SystemExit) as ended:
        main(["verify", "four-bar", "--scenario", "operate", "--runs", "1", "--duration", "1", "--step", "5 ms",
              "--json", str(file)])
    assert not ended.value.code
    document = json.loads(file.read_text())
    assert {"machine", "scenario", "method", "step", "runs", "right", "refused", "wrong"} <= document["rows"][0].keys()
    assert "four-bar, operate, extrapolated" in capsys.readouterr().out
