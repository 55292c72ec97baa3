"""Exit codes: 0 all well, 1 a claim or run failed, 2 bad input, 130 interrupted; one line on stderr."""

from pathlib import Path
from typing import Any

import pytest

import gerotor
import gerotor.cli.study
from gerotor.cli import main
from gerotor.errors import StepError
from gerotor.studies.base import Claim, Result, Study, Watch
from tests.machines.fuzz import answer, assert_refused


def of(claim: Claim) -> Study:
    return Study("small", "title", "[kim2021]", lambda watch: Result("arm", "rk4", 1e-3, 1.0, 0.1, [claim]))


@pytest.mark.parametrize("case", [("holds", True, 0), ("differs", True, 1), ("differs", False, 0), ("hardware", True, 0)])
def test_a_claim_that_fails_is_exit_code_1(
    case: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    verdict, reproducible, code = case
    claim = Claim("C1", "statement", 1.0, 2.0, "s", verdict, reproducible)
    monkeypatch.setattr(gerotor.cli.study, "find_study", lambda name: of(claim))
    assert answer(["study", "small", "--report", str(tmp_path)], capsys) == (code, "")


@pytest.mark.parametrize("case", [
    (KeyboardInterrupt(), 130, "gerotor: interrupted\n"), (StepError("arm stopped\nat 1 s"), 1, "gerotor: arm stopped at 1 s\n"),
])
def test_a_run_that_ends_early(
    case: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    error, code, words = case

    def run(watch: Watch) -> Result:
        raise error

    monkeypatch.setattr(gerotor.cli.study, "find_study", lambda name: Study("small", "title", "[kim2021]", run))
    assert answer(["study", "small", "--report", str(tmp_path)], capsys) == (code, words)


def test_an_unknown_command_names_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("studdy", "output", "\0"):
        assert "unknown command" in assert_refused([name], capsys)
    assert "study" in assert_refused(["studdy"], capsys)


def test_help_is_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--help"], ["run", "--help"], ["bench"], ["study"]):
        assert answer(arguments, capsys) == (0, "")


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert (ended.value.code or 0, capsys.readouterr().out) == (0, f"gerotor {gerotor.__version__}\n")


def test_examples_are_copied_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "mine"
    assert answer(["examples", str(folder)], capsys) == (0, "")
    assert (folder / "circle.yaml").exists() and (folder / "hil" / "spring_docking.yaml").exists()
    (folder / "circle.yaml").write_text("changed")
    assert "nothing was copied" in assert_refused(["examples", str(folder)], capsys)
    assert (folder / "circle.yaml").read_text() == "changed"
