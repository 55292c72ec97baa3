"""Recordings survive a round trip and open elsewhere."""

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gerotor.errors import InputError
from gerotor.simulation.recording import Recording

pytestmark = pytest.mark.vm


def made(values: np.ndarray) -> Recording:
    return Recording(["boom.p", "arm.q.j1"], ["Pa", "rad"], values, {"step": 0.01, "machine": "arm", "warnings": []})


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=arrays(float, st.tuples(st.integers(1, 6), st.just(3)), elements=st.floats(allow_nan=False, allow_infinity=False)))
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_round_trip_is_exact(suffix: str, values: np.ndarray, tmp_path: Path) -> None:
    back = Recording.load(made(values).save(tmp_path / f"run{suffix}"))
    assert (back.names, back.units) == (["boom.p", "arm.q.j1"], ["Pa", "rad"])
    np.testing.assert_array_equal(back.values, values)
    assert suffix == ".csv" or back.facts == made(values).facts


def test_csv_has_one_header_line_with_units(tmp_path: Path) -> None:
    """What MATLAB's readtable and spreadsheets expect: one header, commas, plain numbers."""
    path = made(np.array([[0.0, 1e7, 0.5], [0.1, 2e7, -0.25]])).save(tmp_path / "run.csv")
    rows = list(csv.reader(path.open()))
    assert rows[0] == ["time [s]", "boom.p [Pa]", "arm.q.j1 [rad]"]
    assert [[float(v) for v in row] for row in rows[1:]] == [[0.0, 1e7, 0.5], [0.1, 2e7, -0.25]]
    assert pd.read_csv(path).shape == (2, 3)


def test_pandas_reads_parquet_and_knows_units(tmp_path: Path) -> None:
    run = made(np.array([[0.0, 1e7, 0.5]]))
    frame = pd.read_parquet(run.save(tmp_path / "run.parquet"))
    assert list(frame.columns) == ["time", "boom.p", "arm.q.j1"]
    assert run.to_pandas().attrs["units"] == {"time": "s", "boom.p": "Pa", "arm.q.j1": "rad"}


def test_what_is_no_recording_is_refused(tmp_path: Path) -> None:
    for name, content in (("a.csv", b"junk"), ("b.parquet", b"junk"), ("c.csv", b""), ("d.parquet", b"")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match="not a recording"):
            Recording.load(tmp_path / name)
    with pytest.raises(InputError, match="no such recording"):
        Recording.load(tmp_path / "nothing.csv")
    with pytest.raises(InputError, match=r"recordings are \.parquet or \.csv"):
        made(np.zeros((1, 3))).save(tmp_path / "run.txt")
    with pytest.raises(InputError, match=r"unknown column 'boom.q'; known: boom\.p"):
        made(np.zeros((1, 3)))["boom.q"]
