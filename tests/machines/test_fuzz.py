"""Whatever is wrong with a machine file ends in one line and exit code 2, never in a traceback."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.machines.fuzz import JUNK, NUMBERS, answer, arm, assert_refused, at, places, replaced, without

ARM = arm()
PLACES = list(places(ARM))
QUANTITIES = [p for p in PLACES if isinstance(at(ARM, p), str) and at(ARM, p)[0] in "-0123456789"]
MAPPINGS = [p for p in PLACES if isinstance(at(ARM, p), dict)]
SLOW = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=40)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "machine.yaml"


def write(file: Path, document: Any) -> list[str]:
    file.write_text(yaml.safe_dump(document))
    return ["describe", str(file)]


@SLOW
@given(place=st.sampled_from(PLACES), junk=JUNK)
def test_junk_anywhere(place: Any, junk: Any, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Some replacements are harmless (another title, another mass); none may be a crash."""
    code, err = answer(write(file, replaced(ARM, place, junk)), capsys)
    assert code in (0, 2), err
    assert err.count("\n") == (1 if code else 0), err
    assert not code or err.startswith(f"gerotor: {file}: "), err


@SLOW
@given(place=st.sampled_from(QUANTITIES), junk=NUMBERS)
def test_wrong_quantities(place: Any, junk: Any, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, err = answer(write(file, replaced(ARM, place, junk)), capsys)
    assert code in (0, 2), err
    assert err.count("\n") == (1 if code else 0), err


@SLOW
@given(place=st.sampled_from(QUANTITIES))
def test_wrong_dimension_names_the_place(place: Any, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    err = assert_refused(write(file, replaced(ARM, place, "3 lumen")), capsys)
    assert "'3 lumen' has the wrong dimension: expected " in err
    assert str(place[-1] if isinstance(place[-1], str) else place[-2]) in err


@SLOW
@given(place=st.sampled_from(MAPPINGS))
def test_unknown_key(place: Any, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed = {**at(ARM, place), "colour": "red"}
    assert "colour" in assert_refused(write(file, replaced(ARM, place, changed)), capsys)


@SLOW
@given(places=st.lists(st.sampled_from(PLACES), min_size=1, max_size=4))
def test_missing_keys(places: list[Any], file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = ARM
    for place in places:
        try:
            document = without(document, place)
        except (KeyError, IndexError):
            continue
    code, err = answer(write(file, document), capsys)
    assert code in (0, 2), err
    assert err.count("\n") == (1 if code else 0), err


J1 = ("joints", 0)
REFUSED = {
    "negative volume": ((*J1, "actuator", "line_1", "volume"), "-300 cm^3", "must be above 0"),
    "negative displacement": ((*J1, "actuator", "motor", "displacement"), "-80 cm^3/rev", "must be above 0"),
    "negative mass": ((*J1, "link", "mass"), "-5 kg", "mass"),
    "nan": ((*J1, "link", "mass"), "nan kg", "not finite"),
    "bare nan": ((*J1, "actuator", "gear", "ratio"), float("nan"), "not finite"),
    "infinite": ((*J1, "actuator", "gear", "ratio"), float("inf"), "not finite"),
    "huge": ((*J1, "link", "mass"), "1e999 kg", "not finite"),
    "huge integer": ((*J1, "actuator", "gear", "ratio"), 10**400, "not finite"),
    "out of all sizes": ((*J1, "actuator", "line_1", "volume"), "1e-320 m^3", "must be 0 or from 1e-30 to 1e+30 m^3"),
    "a length across the sky": ((*J1, "dh", "d"), "1e12 m", "must be at most 1e+06 m"),
    "a mass of a moon": ((*J1, "link", "mass"), "1e20 kg", "must be at most 1e+09 kg"),
    "gear of 0": ((*J1, "actuator", "gear", "ratio"), 0, "ratio = 0: must not be 0"),
    "friction model of a list": ((*J1, "actuator", "friction", "model"), [1], "unknown friction model '[1]'"),
    "no unit": ((*J1, "link", "mass"), 5, "has no unit"),
    "yes": ((*J1, "link", "mass"), True, "expected a quantity"),
    "empty range": ((*J1, "range"), ["90 deg", "-90 deg"], "range"),
    "half a range": ((*J1, "range"), ["90 deg"], "range"),
    "duplicate joint": ((*J1, "name"), "j2", "duplicate name j2"),
    "frame named as a joint": (("frames", 0, "name"), "j2", "duplicate name j2"),
    "own parent": ((*J1, "parent"), "j1", "j1"),
    "parent loop": ((*J1, "parent"), "j2", "j2"),
    "unknown parent": ((*J1, "parent"), "j9", "j9"),
    "unknown frame's joint": (("frames", 0, "joint"), "j9", "j9"),
    "unknown payload's frame": (("payloads", 0, "frame"), "hand", "hand"),
    "joint type": ((*J1, "type"), "spherical", "spherical"),
    "zero axis": ((*J1, "axis"), [0, 0, 0], "axis"),
    "axis out of all sizes": ((*J1, "axis"), [1e308, 0, 1], "axis"),
    "nan axis": ((*J1, "axis"), [float("nan"), 0, 1], "axis"),
    "impossible inertia": ((*J1, "link", "inertia"), ["1 kg*m^2", "1 kg*m^2", "9 kg*m^2"], "inertia"),
    "two inertias": ((*J1, "link", "inertia"), ["1 kg*m^2", "1 kg*m^2"], "inertia"),
    "no joints": (("joints",), [], "joints"),
    "many joints": (("joints",), [ARM["joints"][0]] * 101, "joints"),
    "actuator kind": ((*J1, "actuator", "kind"), "muscle", "muscle"),
    "friction model": ((*J1, "actuator", "friction", "model"), "sand", "sand"),
    "no source": ((*J1, "actuator", "gear", "source"), "", "source"),
    "tunable of nothing": (("tunable",), ["j9.actuator.gear.ratio"], "j9.actuator.gear.ratio"),
    "extends itself": (("extends",), "machine.yaml", "extends"),
    "extends nothing": (("extends",), "nobody", "machine.yaml: extends: unknown machine 'nobody'"),
    "extends a folder": (("extends",), "..", ".."),
    "extends a number": (("extends",), 3, "extends"),
    "name with a line break": (("name",), "a\nb", "name"),
    "negative supply": (("supply", "pressure"), "-1 bar", "must be above 0"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place, value, words = REFUSED[case]
    document = replaced(ARM, place, value) if len(place) > 1 else {**ARM, place[0]: value}
    assert words in assert_refused(write(file, document), capsys)


TEXTS: dict[str, bytes] = {
    "empty": b"",
    "a word": b"arm",
    "a list": b"[1, 2]",
    "null": b"null",
    "not yaml": b"a: b: c: [",
    "tab": b"a:\n\t- b",
    "not utf-8": b"name: \xff\xfe\xfa",
    "binary": bytes(range(256)) * 40,
    "nul": b"name: a\x00b",
    "alias": b"a: &x {b: 1}\nc: *x\n",
    "billion laughs": b"a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nname: *c\n",
    "merge key": b"a: &x {b: 1}\nc: {<<: *x}\n",
    "python tag": b"!!python/object/apply:os.system ['true']\n",
    "unknown tag": b"name: !wheel 5\n",
    "duplicate key": b"name: a\nname: b\n",
    "mapping as key": b"{a: 1}: 2\nname: b\n",
    "list as key": b"? [a, b]\n: 2\n",
    "deep list": b"name: " + b"[" * 5000 + b"]" * 5000,
    "deep mapping": b"name: " + b"{a: " * 3000 + b"1" + b"}" * 3000,
    "deep block": b"".join(b" " * k + b"a:\n" for k in range(900)),
    "deep actuator": b"name: a\ntitle: b\njoints:\n- {name: j, type: fixed, source: abc, actuator: "
    + b"{a: " * 400 + b"1" + b"}" * 400 + b"}",
    "date": b"name: 2020-01-01\n",
    "impossible date": b"name: 2020-99-99\n",
    "sexagesimal": b"name: 1:1:1\n",
    "two documents": b"name: a\n---\nname: b\n",
    "10 MB": b"name: " + b"x" * 10_000_000,
    "10 MB of braces": b"{" * 10_000_000,
    "many keys": b"".join(b"k%d: 1\n" % k for k in range(25_000)),
    "one key many times": b"k: 1\n" * 50_000,
    "many digits": b"name: " + b"9" * 250_000,
    "many braces": b"{" * 250_000,
}


@pytest.mark.parametrize("case", TEXTS)
def test_junk_files(case: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(TEXTS[case])
    for command in ("describe", "run"):
        assert str(file) in assert_refused([command, str(file)], capsys)


@SLOW
@given(text=st.binary(max_size=200) | st.text(max_size=200).map(lambda t: t.encode("utf-8", "surrogatepass")))
def test_random_text(text: bytes, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(text)
    assert_refused(["describe", str(file)], capsys)


@pytest.mark.parametrize("command", ["describe", "run"])
def test_no_file(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "loop.yaml").symlink_to(tmp_path / "loop.yaml")
    for name in ("folder.yaml", "nothing.yaml", "loop.yaml", "x" * 300 + ".yaml", "a\0b.yaml", "folder.yaml/x.yaml"):
        assert_refused([command, str(tmp_path / name)], capsys)


@pytest.mark.parametrize(
    "arguments",
    [["describe"], ["describe", "nobody"], ["describe", "a.txt"], ["describe", "kaeri-arm", "more"], ["bogus"], ["run"],
     ["--wrong"], ["describe", "--wrong", "kaeri-arm"], ["describe", ""], ["run", ""]],
    ids=str,
)
def test_wrong_arguments(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert_refused(arguments, capsys)
