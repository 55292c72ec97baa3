"""The cache of libraries: several processes at once, no room, no rights, torn files, no compiler."""

import errno
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gerotor.codegen import command, compiler, stored
from gerotor.codegen.compiler import build, find_compiler, load
from gerotor.errors import BuildError

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")
SOURCE = "int seven(void) { return 7; }\n"
ROOT = Path(__file__).parents[2]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GEROTOR_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def fresh_search() -> Iterator[None]:
    find_compiler.cache_clear()
    yield
    find_compiler.cache_clear()


@needs_compiler
def test_built_once_then_found(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load(SOURCE).seven() == 7
    assert [f.suffix for f in cache.iterdir()] == [".so"]
    assert cache.stat().st_mode & 0o777 == 0o700
    monkeypatch.setattr(compiler, "compiled", _forbidden)
    assert load(SOURCE).seven() == 7
    with pytest.raises(AssertionError):
        build(SOURCE + " ")


def _forbidden(*_: object) -> None:
    raise AssertionError("the compiler was called")


@needs_compiler
def test_flags_and_source_are_the_key(cache: Path) -> None:
    for source, flags in ((SOURCE, compiler.FLAGS), (SOURCE + "\n", compiler.FLAGS), (SOURCE, (*compiler.FLAGS, "-DX"))):
        build(source, flags)
    assert len(list(cache.iterdir())) == 3


@needs_compiler
def test_several_processes_build_the_same_library_at_once(cache: Path) -> None:
    code = f"from gerotor.codegen.compiler import load\nprint(load({SOURCE!r}).seven())"
    children = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert [c.communicate()[0].strip() for c in children] == ["7"] * 4
    assert [f.suffix for f in cache.iterdir()] == [".so"]


@needs_compiler
def test_a_cache_that_cannot_be_written_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("GEROTOR_CACHE", str(tmp_path / "file" / "cache"))
    assert load(SOURCE + "/* elsewhere */").seven() == 7


@needs_compiler
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_full_or_read_only_disk_is_passed_over(cache: Path, monkeypatch: pytest.MonkeyPatch, error: int) -> None:
    write = Path.write_text

    def failing(self: Path, *args: Any, **options: Any) -> int:
        if cache in self.parents:
            raise OSError(error, "simulated")
        return write(self, *args, **options)

    monkeypatch.setattr(Path, "write_text", failing)
    assert load(SOURCE + f"/* {error} */").seven() == 7
    assert list(cache.iterdir()) == []


@needs_compiler
def test_no_room_anywhere_is_said_in_one_line(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", failing)
    with pytest.raises(BuildError, match=r"cannot write to .* nor to .*: free some space or set GEROTOR_CACHE"):
        build(SOURCE + "/* nowhere */")


@needs_compiler
def test_a_compiler_without_room_falls_back(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = command._run

    def failing(line: list[str]) -> tuple[int, str]:
        return (1, "ld: final link failed: No space left on device\n") if str(cache) in " ".join(line) else run(line)

    monkeypatch.setattr(command, "_run", failing)
    assert load(SOURCE + "/* ld */").seven() == 7
    assert list(cache.iterdir()) == []


@needs_compiler
def test_room_for_the_build_but_not_for_the_library_builds_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def failing(*_: object) -> None:
        calls.append(1)
        raise OSError(errno.ENOSPC, "simulated")

    monkeypatch.setattr(stored, "write", failing)
    assert load(SOURCE + "/* once */").seven() == 7
    assert len(calls) == 2
    assert list(cache.iterdir()) == []


@needs_compiler
def test_what_does_not_compile_is_one_line(cache: Path) -> None:
    with pytest.raises(BuildError, match="could not compile the kernel: ") as caught:
        build("int broken(")
    assert "\n" not in str(caught.value)


@pytest.mark.vm
def test_no_compiler_is_found_where_there_is_none(fresh_search: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEROTOR_NO_COMPILER", "1")
    assert find_compiler() is None
    with pytest.raises(BuildError, match="no C compiler found"):
        build(SOURCE)


def test_the_ziglang_package_is_a_compiler(fresh_search: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where PATH has none; a blank CC counts as none."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("CC", " ")
    monkeypatch.delenv("GEROTOR_NO_COMPILER", raising=False)
    monkeypatch.setattr(compiler.importlib.util, "find_spec", lambda name: object() if name == "ziglang" else None)
    assert find_compiler() == (sys.executable, "-m", "ziglang", "cc")


def test_an_empty_path_hides_every_compiler(fresh_search: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(compiler.importlib.util, "find_spec", lambda name: None)
    assert find_compiler() is None


@pytest.mark.vm
def test_without_a_compiler_a_run_says_so_once() -> None:
    code = "from tests.codegen.plant import closed_loop\nfor _ in 'ab': print(closed_loop().run(0.1, 0.005).facts['compiled'])"
    environment = {"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "GEROTOR_NO_COMPILER": "1", "PATH": ""}
    child = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert child.stdout.split() == ["False", "False"]
    assert child.stderr == (
        "gerotor: no C compiler found, running on CasADi's virtual machine (slower); install gcc or `pip install ziglang`\n"
    )
