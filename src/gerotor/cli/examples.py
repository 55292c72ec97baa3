"""`gerotor examples [FOLDER]`: files to run, read and change."""

from __future__ import annotations

import shutil
from importlib import resources
from pathlib import Path

import typer
from rich.console import Console

from gerotor.cli.output import writable
from gerotor.errors import InputError


def examples(folder: Path = typer.Argument(Path("examples"), help="where to put them")) -> None:
    """Copy the examples: scenarios for `run`, first models in Python, files for `estimate` and `hil`."""
    source = Path(str(resources.files("gerotor") / "examples"))
    files = [p.relative_to(source) for p in sorted(source.rglob("*")) if p.is_file() and "__pycache__" not in p.parts]
    there = [str(folder / f) for f in files if (folder / f).exists()]
    if there:
        raise InputError(f"{there[0]} is there already: nothing was copied; choose another folder")
    for file in files:
        writable((folder / file).parent)
        shutil.copyfile(source / file, folder / file)
    console = Console()
    for file in files:
        console.print(f"{folder / file}: {_first_line(source / file)}", highlight=False, markup=False, soft_wrap=True)


def _first_line(path: Path) -> str:
    return path.read_text(encoding="utf-8").splitlines()[0].strip('#" ')


def register(app: typer.Typer) -> None:
    app.command()(examples)
