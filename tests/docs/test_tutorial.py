"""Every block of the tutorial runs as it stands, in order."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "tutorial.md").read_text()


@pytest.mark.parametrize("command", [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.S) for line in block.splitlines()])
def test_commands(command: str) -> None:
    program, *arguments = command.split()
    assert program == "gerotor"
    done = subprocess.run([sys.executable, "-m", program, *arguments], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "kaeri-arm" in done.stdout or "pipe-cutting" in done.stdout


def test_python_blocks() -> None:
    scope: dict[str, object] = {}
    seen: list[dict[str, object]] = []
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.S):
        exec(compile(block, "tutorial.md", "exec"), scope)
        seen.append(dict(scope))
    assert len(seen[0]["ode"].states) == 42
    assert 0 < seen[1]["sag"] < 0.01
    assert seen[2]["turned"] == pytest.approx(np.radians(1.289 * np.sqrt(2) * 5), rel=0.1)  # flow over displacement, no load
    assert seen[3]["error"] < 5e-3
    assert seen[4]["touching"][0] == pytest.approx(5.0, abs=0.05)
    assert scope["run"]["saw.F.z"].min() < -30
    assert scope["page"].stat().st_size > 1e6
