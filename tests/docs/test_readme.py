"""The README's first model runs as it stands and gives the speed that follows by hand."""

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"


def test_first_model_turns_at_the_speed_worked_by_hand(capsys):
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text(), re.S)
    scope: dict[str, object] = {}
    exec(compile(code, "README", "exec"), scope)
    # half spool: flow 0.5 K sqrt((ps - dp) / 2), K = Qr / sqrt(35 bar), equals the swept flow D v; the load 0.5 v
    # needs dp = 0.5 v / (0.9 D): solve for v by damped iteration
    gain, swept, per_pressure = 9e-4 / 35e5**0.5, 12.7e-6, 0.9 * 12.7e-6
    v = 0.0
    for _ in range(200):
        v = 0.5 * (v + 0.5 * gain * ((140e5 - 0.5 * v / per_pressure) / 2) ** 0.5 / swept)
    assert scope["run"]["drum.v"][-1] == pytest.approx(v, rel=1e-3)
    assert "times real time" in capsys.readouterr().out
