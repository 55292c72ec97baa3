"""Whatever is wrong with a scenario file ends in one line and exit code 2, never in a traceback."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gerotor.errors import InputError
from gerotor.integrators import integrator
from tests.machines.fuzz import JUNK, answer, places, replaced, without

EXAMPLES = Path(__file__).parents[2] / "src/gerotor/examples"
SHORT = {"circle": "20 ms", "crane": "20 ms", "open_loop": "5 ms", "robot_line": "2 ms"}
FILES = {n: {**yaml.safe_load((EXAMPLES / f"{n}.yaml").read_text()), "duration": t} for n, t in SHORT.items()}
FILES["circle"]["task"]["rise"] = "0 s"
PLACES = [(name, place) for name, document in FILES.items() for place in places(document)]
TIMES = st.sampled_from(["0 s", "-1 s", "1e300 s", "1e-300 s", "0.3 ms", "7 ms"])
FEW = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=12, deadline=None,
)


def check(document: Any, folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Runs, stops on its own (1) or is refused (2): one line of reasons, none if all went well."""
    file = folder / "scenario.yaml"
    file.write_text(yaml.safe_dump(document))
    code, err = answer(["run", str(file), "--out", str(folder / "out")], capsys)
    assert code in (0, 1, 2), err
    assert err.count("\n") == (1 if code else 0), err
    assert not code or err.startswith(f"gerotor: {file}: " if code == 2 else "gerotor: "), err
    return err


@FEW
@given(where=st.sampled_from(PLACES), junk=JUNK | TIMES)
def test_junk_anywhere(where: Any, junk: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name, place = where
    check(replaced(FILES[name], place, junk), tmp_path, capsys)


@FEW
@given(where=st.sampled_from(PLACES))
def test_missing_keys(where: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name, place = where
    check(without(FILES[name], place), tmp_path, capsys)


@pytest.mark.parametrize(("method", "options", "kind"), [
    ("hht-alpha", {"alpha": "a"}, "a number"), ("hht-alpha", {"consistent": 3}, "true or false"),
    ("sdirk2", {"iterations": 2.5}, "a whole number"), ("sdirk2", {"iterations": None}, "a whole number"),
])
def test_options_of_the_wrong_kind(method: str, options: Any, kind: str) -> None:
    with pytest.raises(InputError, match=f"integrator {method}: .* must be {kind}"):
        integrator(method, **options)


@pytest.mark.parametrize("case", [
    ("robot_line", ("controller",), "serva", "unknown controller 'serva'"),
    ("robot_line", ("task", "frame"), "hand", "hand"),
    ("robot_line", ("step",), "5 ms", "choose a step that divides it"),
    ("circle", ("task", "radius"), "30 m", "out of reach"),
    ("circle", ("integrator",), "leapfrog", "unknown integrator 'leapfrog'"),
    ("circle", ("options",), {"colour": 3}, "unknown option 'colour'"),
    ("crane", ("task", "times"), ["0 s", "1 s"], "quintic.points"),
    ("crane", ("task", "times"), ["0 s", "1e-300 s", "2e-300 s", "1 s"], "must be 0 or from 1e-30"),
    ("crane", ("machine",), "x" * 500 + ".yaml", "cannot be read"),
    ("crane", ("inputs",), {"log.mass": "-5 kg"}, "log.mass"),
    ("open_loop", ("task", "inputs"), {}, "task.sine.inputs"),
    ("open_loop", ("record",), {"signals": ["j9.i"]}, "unknown signal 'j9.i'"),
    ("open_loop", ("record",), {"period": "0 s"}, "record.period = 0 s: must be above 0"),
    ("open_loop", ("record",), {"period": "-1 s"}, "record.period = -1 s: must be above 0"),
    ("open_loop", ("controller",), "circle", "controller = 'circle': a sine task drives the inputs itself"),
    ("circle", ("duration",), "1e6 s", "1e+08 set-points, one every 0.01 s; at most 1e+06"),
    ("crane", ("duration",), "1e6 s", "set-points"),
])
def test_refused_with_a_reason(case: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name, place, value, reason = case
    assert reason in check(replaced(FILES[name], place, value), tmp_path, capsys)


def test_a_jerk_near_zero_is_no_crash(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(replaced(FILES["robot_line"], ("task", "jerk"), "1e-29 m/s^3"), tmp_path, capsys)
