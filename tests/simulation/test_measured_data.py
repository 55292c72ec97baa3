import numpy as np
import pytest

from gerotor.errors import InputError
from gerotor.simulation.measured_data import read_data
from gerotor.simulation.recording import Recording


def write(tmp_path, text: str):
    path = tmp_path / "data.csv"
    path.write_text(text)
    return path


def test_units_missing_cells_and_rows(tmp_path) -> None:
    path = write(tmp_path, "time [ms],p [bar],s [mm]\n0,1,10\n1,,11\n3,4,nan\n4,5,12\n5,6,13\n")
    data = read_data(path)
    np.testing.assert_allclose(data.time, np.arange(6) * 1e-3)
    np.testing.assert_allclose(data.column("p", "Pa"), [1e5, np.nan, np.nan, 4e5, 5e5, 6e5])
    np.testing.assert_allclose(data.column("s", "m"), [0.010, 0.011, np.nan, np.nan, 0.012, 0.013])


def test_parquet_of_a_run(tmp_path) -> None:
    values = np.column_stack([np.arange(5) * 0.1, np.arange(5.0)])
    path = Recording(["p"], ["Pa"], values).save(tmp_path / "run.parquet")
    np.testing.assert_array_equal(read_data(path).column("p", "Pa"), np.arange(5.0))


@pytest.mark.parametrize("text,message", [
    ("", "empty file"),
    ("p [bar]\n1\n", "first column must be time"),
    ("time [s],p [bar]\n0,1\n", "at least two samples"),
    ("time [s],p [bar]\n0,1\n1\n", "line 3 has 1 cells"),
    ("time [s],p [bar]\n0,1\n1,x\n", "line 3: could not convert"),
    ("time [s],p [bar]\n0,1\n1,2\n0.5,3\n", "time does not grow at row 3"),
    ("time [s],p [bar]\n0,1\n,2\n2,3\n", "row 2: time is not a number"),
    ("time [s],p [bar]\n0,1\n0.01,2\n0.02,3\n0.5,3\n", "gap of 0.48 s after 0.02 s"),
    ("time [s],p [bar]\n0,1\n0.01,2\n0.02,3\n0.034,3\n", "not on the even grid"),
    ("time [s],p [bar]\n0,1\n0.01,inf\n", "infinite"),
    ("time [kg],p [bar]\n0,1\n0.01,2\n", "wrong dimension"),
])
def test_faulty_files(tmp_path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_data(write(tmp_path, text))


def test_wrong_column_and_unit(tmp_path) -> None:
    data = read_data(write(tmp_path, "time [s],p [bar]\n0,1\n0.01,2\n"))
    with pytest.raises(InputError, match="unknown column 'q'"):
        data.column("q", "Pa")
    with pytest.raises(InputError, match="wrong dimension"):
        data.column("p", "m")
    with pytest.raises(InputError, match="no such file"):
        read_data(tmp_path / "none.csv")
