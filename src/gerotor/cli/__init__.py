"""The command line: one command a file. Bad input ends in one line and exit code 2, never a traceback."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from functools import lru_cache

import typer

from gerotor.errors import GerotorError, StepError

app = typer.Typer(
    name="gerotor", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
    help="Real-time simulation of hydraulic and electric manipulators.",
)


@lru_cache(maxsize=1)
def _collect() -> None:
    """Commands in files beside this one: those that define `register(app)`."""
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda m: m.name):
        register = getattr(importlib.import_module(f"{__name__}.{module.name}"), "register", None)
        if register is not None:
            register(app)


def main(arguments: list[str] | None = None) -> None:
    """Entry point of `gerotor`."""
    _collect()
    try:
        app(args=arguments, standalone_mode=False)
    except GerotorError as error:
        sys.stderr.write(f"gerotor: {error}\n")
        sys.exit(1 if isinstance(error, StepError) else 2)
    except typer.Exit as done:
        sys.exit(done.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        sys.stderr.write("gerotor: interrupted\n")
        sys.exit(130)
    except Exception as error:
        if error.__class__.__module__.startswith(("click", "typer")) and hasattr(error, "format_message"):
            sys.stderr.write(f"gerotor: {error.format_message()}\n")
            sys.exit(2)
        raise
