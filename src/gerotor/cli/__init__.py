"""The command line: one command a file. Bad input ends in one line and exit code 2, never a traceback."""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
from functools import lru_cache
from typing import NoReturn

import typer

from gerotor import __version__
from gerotor.errors import GerotorError, InputError, StepError, unknown

app = typer.Typer(
    name="gerotor", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
    help="Real-time simulation of hydraulic and electric manipulators.",
)
INTERRUPTED = 130


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"gerotor {__version__}")
        raise typer.Exit


@app.callback()
def _commands(
    version: bool = typer.Option(False, "--version", is_eager=True, callback=_version, help="print the version and stop"),
) -> None:
    """Keeps a command's name in front even where only that one is loaded."""


@lru_cache
def _load(name: str) -> None:
    """The command in a file beside this one, if it defines `register(app)`."""
    register = getattr(importlib.import_module(f"{__name__}.{name}"), "register", None)
    if register is not None:
        register(app)


def _collect(arguments: list[str]) -> None:
    """The command asked for; all of them where it is none."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    asked = arguments[0] if arguments else ""
    if asked in names:
        _load(asked)
    if asked in _loaded():
        return
    for name in names:
        _load(name)
    if asked and not asked.startswith("-"):
        raise InputError(f"{unknown('command', asked, _loaded())}; gerotor --help tells what they do")


def _loaded() -> list[str]:
    return [command.callback.__name__ for command in app.registered_commands if command.callback]


def main(arguments: list[str] | None = None) -> None:
    """Entry point of `gerotor`. Exit code 0: all well; 1: a claim or a run failed; 2: bad input; 130: interrupted."""
    try:
        _collect(sys.argv[1:] if arguments is None else arguments)
        code = app(args=arguments, standalone_mode=False)  # typer hands the code of an Exit back
    except GerotorError as error:
        _end(str(error), 1 if isinstance(error, StepError) else 2)
    except (typer.Abort, KeyboardInterrupt):
        code = INTERRUPTED
    except BrokenPipeError:  # of `gerotor ... | head`
        _silence()
        sys.exit(1)
    except OSError as error:
        if error.filename is None:
            _silence()
        _end(f"{error.filename or 'output'}: {error.strerror or error}", 2)
    except MemoryError:
        _end("not enough memory: shorten the run or record less", 2)
    except Exception as error:
        if error.__class__.__module__.startswith(("click", "typer")) and hasattr(error, "format_message"):
            _end(error.format_message(), 2)
        raise
    if code == INTERRUPTED:
        _end("interrupted", INTERRUPTED)
    sys.exit(code)


def _silence() -> None:
    """What is still in the buffer of a stdout that takes nothing more is dropped, not complained about."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _end(message: str, code: int) -> NoReturn:
    line = " ".join(message.split())
    line = line if len(line) <= 620 else f"{line[:300]} ... {line[-300:]}"
    sys.stderr.write(f"gerotor: {line}\n" if line else "")
    sys.exit(code)
