"""The Python blocks of the documentation pages run as they stand, in order."""

import math
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def run_blocks(name: str) -> dict[str, object]:
    scope: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", (DOCS / name).read_text(), re.S):
        exec(compile(block, name, "exec"), scope)
    return scope


def test_own_component_clogs_as_its_equation_says():
    run = run_blocks("extending.md")["run"]
    # dc/dt = a exp(-c), a = K sqrt(dp) / V: c = ln(1 + a t)
    a = 1e-7 * math.sqrt(2e5) / 0.5
    assert run["filter.c"][-1] == pytest.approx(math.log(1 + a * 3600), rel=1e-4)


def test_machine_file_page_turns_the_base():
    run = run_blocks("machine_files.md")["run"]
    assert run["arm.q.j1"][-1] > 0.05


def test_perturbation_page_linearises_the_robot():
    scope = run_blocks("perturbation.md")
    assert scope["slowest"].frequency >= 0
    assert scope["gain"].shape == (200,)
    assert scope["made"].tables[0].rows.shape[0] == 5551
