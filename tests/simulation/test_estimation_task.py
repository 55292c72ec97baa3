"""`gerotor estimate` on data of a known machine, with sensors that fail now and then."""

from pathlib import Path

import numpy as np
import pytest

from gerotor.cli.estimate import parameter_rows, residual_line
from gerotor.core.layout import Entry, Layout
from gerotor.core.table import Table
from gerotor.errors import GerotorError
from gerotor.machines import load_machine
from gerotor.simulation.estimation_task import estimate_data
from gerotor.simulation.simulation import Simulation

CONFIG = Path(__file__).parents[2] / "src/gerotor/examples" / "estimate" / "four-bar.yaml"
TRUE = (0.06, 0.16, 0.52, 0.85)


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    """2.5 s of the four-bar at 1 kHz: gauge p every other sample, 20 % of the rod samples and 30 rows missing."""
    machine = load_machine("four-bar").assemble()
    t = np.arange(2501) * 1e-3
    command = np.sin(0.4 * np.pi * t)
    table = Table("c", 1e-3, command[:, None], Layout((Entry("crank.u"),)))
    simulation = Simulation(machine.ode(), tables=[table], method="trapezoid")
    signals = ["crank.geometry.l", "crank.pump_line.p", "crank.side_1.p"]
    run = simulation.run(2.5, 1e-3, start=machine.balance(given={"crank.side_1.p": 1e6}), record=signals, record_period=1e-3)
    rng = np.random.default_rng(3)
    rod = run[signals[0]] * 1e3 + rng.normal(size=2501) * 0.112
    gauges = [run[n] / 1e5 - 1 + rng.normal(size=2501) * 0.15 for n in signals[1:]]
    rod[rng.random(2501) < 0.2] = np.nan
    gauges[0][1::2] = np.nan
    path = tmp_path_factory.mktemp("data") / "test.csv"
    cells = [f"{a:.6f},{c:.9f},{'' if np.isnan(r) else f'{r:.6f}'},{'' if np.isnan(p) else f'{p:.6f}'},{q:.6f}"
             for a, c, r, p, q in zip(t, command, rod, *gauges, strict=True)]
    del cells[700:730]
    path.write_text("time [s],command,rod [mm],gauge_p [bar],gauge_1 [bar]\n" + "\n".join(cells) + "\n")
    return path


def test_curve_and_bands(data: Path) -> None:
    found = estimate_data(data, "four-bar", CONFIG)
    final = found.estimate.final()
    for k, true in enumerate(TRUE, 1):
        mean, std = final[f"crank.actuator.valve.s1.ordinates[{k}]"]
        assert abs(mean - true) < max(4 * std, 0.01)
    (curve,) = found.curves
    truth = np.interp([0.2, 0.4, 0.6, 0.8], curve.x, curve.y)
    np.testing.assert_allclose(truth, TRUE, atol=0.02)
    assert (curve.half >= 0).all() and curve.half[0] < 1e-12
    assert np.isnan(found.recording["crank.geometry.l.innovation"]).sum() > 500
    assert len(found.recording) == 2501
    assert "fits" in residual_line(found)
    rows = {r[0]: r for r in parameter_rows(found)}
    assert rows["crank.actuator.valve.s1.ordinates[2]"][4].startswith("told")
    assert rows["oil.bulk_modulus"][3] == "Pa"


def test_nothing_measured(data: Path, tmp_path: Path) -> None:
    rows = data.read_text().splitlines()
    path = tmp_path / "empty.csv"
    path.write_text("\n".join([rows[0], *[",".join([*r.split(",")[:2], "", "", ""]) for r in rows[1:50]]]) + "\n")
    with pytest.raises(GerotorError, match="no sample in any measured column"):
        estimate_data(path, "four-bar", CONFIG)


def test_names_of_an_entry_made_alike(data: Path, tmp_path: Path) -> None:
    """Ordinates 1 and 2 said to be off by the same to 1e-5 keep the distance they start with, whatever the data say."""
    path = config(tmp_path, "std: 0.3\n", "std: 0.3\n    own: 1e-5\n")
    final = estimate_data(data, "four-bar", path).estimate.final()
    first, second = (final[f"crank.actuator.valve.s1.ordinates[{k}]"][0] for k in (1, 2))
    assert second - first == pytest.approx(0.38 - 0.19, abs=0.01)


def config(tmp_path: Path, old: str, new: str) -> Path:
    path = tmp_path / "config.yaml"
    text = CONFIG.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return path


@pytest.mark.parametrize("old,new,message", [
    ("column: rod", "column: rode", "unknown column 'rode'"),
    ("std: 0.112 mm", "std: 0.112 bar", "wrong dimension"),
    ("crank.u: command", "crank.w: command", "unknown input 'crank.w'"),
    ("name: crank.geometry.l", "name: crank.geometry.length", "unknown signal"),
    ("unknowns:", "unknwns:", "unknwns"),
    ("std: 0.3\n", "std: 0\n", "must be above 0"),
    ("std: 0.3\n", "std: 0.3\n    own: 0.4\n", r"own = 0\.4: must be at most 0\.3"),
    ("unknowns:", "iterations: 0\nunknowns:", "iterations = 0"),
])
def test_faulty_configurations(data: Path, tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(GerotorError, match=message):
        estimate_data(data, "four-bar", config(tmp_path, old, new))
