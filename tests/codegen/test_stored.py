"""What lies in the cache is untrusted: damage is repaired, what others have put there is refused, nothing crashes."""

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import gerotor.cache
from gerotor.codegen import compiler, opened, stored
from gerotor.codegen.compiler import build, find_compiler, load

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
SOURCE = "int seven(void) { return 7; }\n"
PLANTED = "int seven(void) { return 666; }\n"
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Each test its own cache, its own process folder and its own lines."""
    monkeypatch.setenv("GEROTOR_CACHE", str(tmp_path / "cache"))
    (tmp_path / "process").mkdir(mode=0o700)
    monkeypatch.setattr(compiler, "process_folder", lambda: tmp_path / "process")
    stored.say.cache_clear()
    yield
    stored.say.cache_clear()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    build(SOURCE)
    (only,) = (tmp_path / "cache").iterdir()
    return only


def damages(size: int, count: int) -> Iterator[Callable[[bytes], bytes]]:
    chance = random.Random(7)
    for _ in range(count // 2):
        bit, end = chance.randrange(8 * size), chance.randrange(size)
        yield lambda b, bit=bit: b[: bit // 8] + bytes([b[bit // 8] ^ 1 << bit % 8]) + b[bit // 8 + 1 :]  # type: ignore[misc]
        yield lambda b, end=end: b[:end]  # type: ignore[misc]


def test_two_hundred_bit_flips_and_truncations_are_all_seen(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen before loading, so safe in this process; what is built again is the library that was."""
    whole, library = file.read_bytes(), build(SOURCE)
    monkeypatch.setattr(compiler, "compiled", lambda *_: library)
    for damage in damages(len(whole), 200):
        file.write_bytes(damage(whole))
        assert stored.read(file.parent, file.stem) is None
        assert load(SOURCE).seven() == 7
        assert file.read_bytes() == whole


@pytest.mark.parametrize("content", [b"", b"\x7fELF torn", bytes(31), bytes(32), bytes(5000)])
def test_a_damaged_library_is_built_anew_with_a_line(
    file: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = file.read_bytes()
    file.write_bytes(content)
    assert load(SOURCE).seven() == 7
    assert file.read_bytes() == whole
    assert capsys.readouterr().err == f"gerotor: cached library {file.name} refused: it is damaged; built again\n"


def test_a_sound_library_under_another_name_is_refused(file: Path) -> None:
    build(PLANTED)
    (other,) = set(file.parent.iterdir()) - {file}
    file.write_bytes(other.read_bytes())
    assert load(SOURCE).seven() == 7


def test_a_library_cut_short_or_changed_after_loading_runs_on(file: Path) -> None:
    library = load(SOURCE)
    file.write_bytes(b"")
    assert library.seven() == 7


def plant(file: Path) -> None:
    """With the right name and digest, as anyone can who reads this code."""
    stored.write(file.parent, file.stem, build(PLANTED))


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o770, 0o702])
def test_a_folder_others_may_write_to_is_refused(
    file: Path, mode: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(file)
    file.parent.chmod(mode)
    before = file.read_bytes()
    assert load(SOURCE).seven() == 7
    assert load(SOURCE).seven() == 7
    assert [f.name for f in (tmp_path / "process").iterdir()] == [file.name]
    assert file.read_bytes() == before
    assert capsys.readouterr().err == (
        f"gerotor: {file.parent} is not used for compiled kernels: others may write to it (mode {mode:04o}); "
        "make it yours alone (chmod 700) or set GEROTOR_CACHE\n"
    )


def test_a_folder_of_another_user_is_refused(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(file)
    real = os.stat

    def foreign(path: object, **options: bool) -> os.stat_result:
        status = real(path, **options)  # type: ignore[call-overload]
        return os.stat_result((*status[:4], 4242, *status[5:])) if path == file.parent else status

    monkeypatch.setattr(gerotor.cache.os, "stat", foreign)
    assert load(SOURCE).seven() == 7
    assert "it belongs to another user (number 4242)" in capsys.readouterr().err


def test_a_file_of_another_user_is_refused_and_replaced(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Put there while the folder was open to all."""
    plant(file)
    real = os.fstat
    monkeypatch.setattr(stored.os, "fstat", lambda d: os.stat_result((*real(d)[:4], 4242, *real(d)[5:])))
    assert load(SOURCE).seven() == 7
    assert "it belongs to another user (number 4242)" in capsys.readouterr().err
    monkeypatch.undo()
    assert stored.read(file.parent, file.stem) is not None


def test_a_file_others_may_write_to_is_refused(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plant(file)
    file.chmod(0o666)
    assert load(SOURCE).seven() == 7
    assert "others may write to it (mode 0666); built again" in capsys.readouterr().err
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_link_or_a_pipe_is_no_library(file: Path, tmp_path: Path) -> None:
    plant(file)
    elsewhere = tmp_path / "elsewhere.so"
    file.rename(elsewhere)
    file.symlink_to(elsewhere)
    assert load(SOURCE).seven() == 7
    assert not file.is_symlink()
    file.unlink()
    os.mkfifo(file)
    assert load(SOURCE).seven() == 7
    assert file.is_file()


def test_a_private_copy_serves_where_memory_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)
    monkeypatch.setattr(opened, "_opened", {})
    assert [load(SOURCE).seven(), load(PLANTED).seven()] == [7, 666]


def test_libraries_in_memory_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Descriptors are used again; the loader must not take the second library for the first."""
    assert [load(f"int n(void) {{ return {n}; }}").n() for n in range(5)] == list(range(5))


def _child(environment: dict[str, str], code: str = f"print(load({SOURCE!r}).seven())") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", f"from gerotor.codegen.compiler import load, find_compiler\n{code}"], text=True, check=False,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT / "src"), **environment}, capture_output=True,
    )


def test_no_home_is_needed() -> None:
    nobody = "import pathlib\ndef home():\n    raise RuntimeError('no home')\npathlib.Path.home = home\n"
    child = _child({}, nobody + f"print(load({SOURCE!r}).seven())")
    assert (child.stdout, child.stderr) == ("7\n", "")


def test_a_cache_that_can_only_be_read_is_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(30, "Read-only file system")

    monkeypatch.setattr(stored, "write", refused)
    monkeypatch.setattr(compiler, "compiled", refused)
    file.chmod(0o400)
    file.parent.chmod(0o500)
    assert load(SOURCE).seven() == 7
    file.parent.chmod(0o700)
