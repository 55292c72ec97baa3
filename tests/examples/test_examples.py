"""Every example runs and checks its own result; every example scenario is valid."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gerotor.simulation.scenario import read_scenario

EXAMPLES = Path(__file__).parents[2] / "src/gerotor/examples"
SCENARIOS = sorted(EXAMPLES.glob("*.yaml"))


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda p: p.stem)
def test_example_runs(path, tmp_path):
    here = {**os.environ, "PYTHONPATH": str(EXAMPLES.parents[1])}
    done = subprocess.run([sys.executable, str(path)], cwd=tmp_path, env=here, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda p: p.stem)
def test_example_scenario_is_valid(path):
    assert read_scenario(path).duration > 0
