"""The compiler as a child process: under a time limit, with all its children, whatever it prints."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import tempfile
from pathlib import Path

from gerotor.errors import BuildError, InputError

LIMIT = 300.0  # s


def time_limit() -> float:
    """$GEROTOR_BUILD_TIMEOUT in seconds; a chain of 20 joints takes 10 s."""
    text = os.environ.get("GEROTOR_BUILD_TIMEOUT") or str(LIMIT)
    try:
        limit = float(text)
    except ValueError:
        limit = math.nan
    if not 0 < limit < math.inf:
        raise InputError(f"GEROTOR_BUILD_TIMEOUT = {text!r}: must be a number of seconds above 0")
    return limit


def compiled(source: str, command: tuple[str, ...], flags: tuple[str, ...], folder: Path) -> bytes:
    """The library of `source`, built in a private place within `folder`. OSError where there is no room."""
    with tempfile.TemporaryDirectory(dir=folder, prefix="build-") as place:
        text, made = Path(place) / "kernel.c", Path(place) / "kernel.so"
        text.write_text(source)
        status, said = _run([*command, *flags, "-o", str(made), str(text), "-lm"])
        if status != 0:
            if "No space left" in said:
                raise OSError(said)
            last = (said.strip().splitlines() or ["no message"])[-1]
            raise BuildError(f"{command[0]} could not compile the kernel: {_printable(last)}")
        if not made.exists():
            raise BuildError(f"{command[0]} reports success but has made no library: is it a compiler?")
        return made.read_bytes()


def _run(command: list[str]) -> tuple[int, str]:
    """Exit status and standard error. In a group of its own, so that what it started ends with it."""
    limit = time_limit()
    try:
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
        )
    except OSError as error:
        raise BuildError(f"{command[0]} cannot be started: {error.strerror}") from None
    try:
        said = child.communicate(timeout=limit)[1]
    except subprocess.TimeoutExpired:
        raise BuildError(
            f"{command[0]} was still compiling after {limit:g} s and was stopped: set GEROTOR_BUILD_TIMEOUT (s) for more"
        ) from None
    finally:  # after Ctrl-C too, which a group of its own does not hear
        if child.returncode is None:
            _kill(child)
    return child.returncode, said.decode(errors="replace")


def _kill(child: subprocess.Popen[bytes]) -> None:
    if hasattr(os, "killpg"):
        os.killpg(child.pid, signal.SIGKILL)
    else:
        child.kill()
    child.wait()
    if child.stderr:
        child.stderr.close()


def _printable(line: str) -> str:
    """No control characters to a terminal, and no more than a line."""
    return "".join(c if c.isprintable() else "?" for c in line)[:300]
