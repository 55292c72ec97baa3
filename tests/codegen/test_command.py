"""Compilers that hang, print garbage, make nothing or cannot be started: one line each, nothing left running."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gerotor.codegen.compiler import build, find_compiler
from gerotor.errors import BuildError, InputError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="scripts as compilers")


@pytest.fixture
def compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A script in place of the compiler."""
    script = tmp_path / "mycc"
    script.touch(mode=0o755)
    monkeypatch.setenv("CC", str(script))
    monkeypatch.delenv("GEROTOR_NO_COMPILER", raising=False)
    monkeypatch.setenv("GEROTOR_CACHE", str(tmp_path / "cache"))
    find_compiler.cache_clear()
    yield script
    find_compiler.cache_clear()
    assert not list((tmp_path / "cache").iterdir())


def one_line() -> str:
    with pytest.raises(BuildError) as caught:
        build("int x;")
    assert str(caught.value).isprintable()
    return str(caught.value)


def test_a_hanging_compiler_is_stopped_with_its_children(compiler: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler.write_text(f"#!/bin/sh\nsleep 600 &\necho $! > {tmp_path}/pid\nwait\n")
    monkeypatch.setenv("GEROTOR_BUILD_TIMEOUT", "0.5")
    assert one_line().endswith("was still compiling after 0.5 s and was stopped: set GEROTOR_BUILD_TIMEOUT (s) for more")
    assert _ends(int((tmp_path / "pid").read_text()))


def _ends(pid: int) -> bool:
    """Gone, or dead and waiting for whoever collects it."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.01)
    return False


@pytest.mark.parametrize("text", ["soon", "0", "-1", "nan", "inf"])
def test_a_limit_that_is_none_is_refused(compiler: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("GEROTOR_BUILD_TIMEOUT", text)
    with pytest.raises(InputError, match=f"GEROTOR_BUILD_TIMEOUT = '{text}': must be a number of seconds above 0"):
        build("int x;")


def test_any_output_is_tolerated(compiler: Path) -> None:
    compiler.write_text("#!/bin/sh\nprintf 'caf\\351 \\377\\000\\033[31mred\\n\\n' >&2\nexit 1\n")
    assert "could not compile the kernel: caf" in one_line()


def test_no_output_is_tolerated(compiler: Path) -> None:
    compiler.write_text("#!/bin/sh\nexit 3\n")
    assert one_line().endswith("could not compile the kernel: no message")


def test_success_without_a_library_is_none(compiler: Path) -> None:
    compiler.write_text("#!/bin/sh\nexit 0\n")
    assert one_line().endswith("reports success but has made no library: is it a compiler?")


def test_what_cannot_be_started_is_said(compiler: Path) -> None:
    compiler.write_bytes(b"\x7fELF nonsense")
    assert "cannot be started: " in one_line()
