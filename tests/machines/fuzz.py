"""Machine and scenario files made wrong, and what the command line answers."""

import copy
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from hypothesis import strategies as st

from gerotor.cli import main
from gerotor.machines.load import find_machine

Path_ = tuple[Any, ...]


def arm() -> dict[str, Any]:
    """The document of the reference arm, cut to its first two joints."""
    document: dict[str, Any] = yaml.safe_load(find_machine("kaeri-arm").read_text())
    del document["controllers"]
    return {**document, "joints": document["joints"][:2], "frames": [{**document["frames"][0], "joint": "j2"}]}


def places(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Every place in a document, inner ones too."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def at(document: Any, path: Path_) -> Any:
    for key in path:
        document = document[key]
    return document


def replaced(document: Any, path: Path_, value: Any) -> Any:
    """A copy with another value at a place."""
    out = copy.deepcopy(document)
    at(out, path[:-1])[path[-1]] = value
    return out


def without(document: Any, path: Path_) -> Any:
    """A copy with a place removed."""
    out = copy.deepcopy(document)
    del at(out, path[:-1])[path[-1]]
    return out


NUMBERS = st.sampled_from([
    "-1 m^2", "0", 0, -1, 1e308, -1e308, 10**400, "1e400 m", "nan", "nan kg", ".nan", float("nan"), float("inf"), "inf bar",
    "-5 bar", "1e30 kg*m^2", "5 furlong", "3 m/s/s/s", "12 bar*", "bar", "1/0 m", "7 ** 99999999", "5 m 5 m", "1e-320 m^3",
    "--3 Pa", "0x10 mm", "1_000 kg", "5 degC", "20 dB", "__import__('os')", "9**9**9", "1e5 Pa / 0 s", "m" * 300,
    "50 %", "-80 cm^3/rev",
])
JUNK = st.one_of(
    NUMBERS, st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20), st.just([]), st.just({}),
    st.just([[[]]]), st.just({"source": 3}), st.just([1, "a", None]), st.just({1: 2, None: 3}), st.dates(), st.binary(max_size=8),
    st.recursive(st.integers(), lambda inner: st.lists(inner, max_size=2) |
                 st.dictionaries(st.text(max_size=3), inner, max_size=2)),
)


def answer(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Exit code and stderr of one command; a traceback would be an exception here."""
    code: Any = 0
    limit = sys.getrecursionlimit()
    try:
        main(arguments)
    except SystemExit as done:
        code = done.code or 0
    finally:
        sys.setrecursionlimit(limit)
    return int(code), capsys.readouterr().err


def assert_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Exit code 2 and one line that begins with the program's name."""
    code, err = answer(arguments, capsys)
    assert code == 2, err
    assert err.startswith("gerotor: "), err
    assert err.endswith("\n")
    assert err.count("\n") == 1, err
    assert len(err) < 2000, err[:3000]
    return err
