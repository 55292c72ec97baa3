"""The README's first model runs as it stands and gives the speed that follows by hand."""

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"


def test_first_model_turns_at_the_speed_worked_by_hand(capsys):
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text(), re.S)
    scope: dict[str, object] = {}
    exec(compile(code, "README", "exec"), scope)
    # half spool: flow 0.5 K sqrt((ps - dp)/2) per edge, K = Qr/sqrt(35 bar); swept 160 * 12.7e-6 m^3/rad;
    # the load 3000 v needs dp = 3000 v / (160 * 0.9 * 12.7e-6): solve the quadratic for v
    gain, swept, per_pressure = 9.2e-4 / 35e5**0.5, 160 * 12.7e-6, 160 * 0.9 * 12.7e-6
    v = 0.0
    for _ in range(200):
        v = 0.5 * (v + 0.5 * gain * ((140e5 - 3000 * v / per_pressure) / 2) ** 0.5 / swept)
    assert scope["run"]["drum.v"][-1] == pytest.approx(v, rel=1e-3)
    assert "times real time" in capsys.readouterr().out
