import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
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
    ("time [s],p [bar],p [Pa]\n0,1,2\n1,2,3\n", "column 'p' is given twice"),
    ("\0\0\0\0", "first column must be time"),
    ("time [kg],p [bar]\n0,1\n0.01,2\n", "wrong dimension"),
])
def test_faulty_files(tmp_path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_data(write(tmp_path, text))


def test_byte_order_mark_is_no_name(tmp_path) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes(b"\xef\xbb\xbftime [s],p [bar]\n0,1\n1,2\n")
    np.testing.assert_array_equal(read_data(path, 2.0).column("p", "bar"), [1, 2])


def test_parquet_of_others(tmp_path) -> None:
    """Units in the names of the columns; the first must be time."""
    good, late, lists = (tmp_path / f"{n}.parquet" for n in ("good", "late", "lists"))
    pq.write_table(pa.table({"time [ms]": [0.0, 1.0], "p [bar]": [1.0, None]}), good)
    np.testing.assert_allclose(read_data(good).column("p", "Pa"), [1e5, np.nan])
    pq.write_table(pa.table({"p [bar]": [1.0, 2.0], "time [s]": [0.0, 1.0]}), late)
    with pytest.raises(InputError, match="first column must be time in s, got 'p'"):
        read_data(late)
    pq.write_table(pa.table({"time [s]": [0.0, 1.0], "p [bar]": [[1.0], [2.0, 3.0]]}), lists)
    junk = tmp_path / "junk.parquet"
    junk.write_bytes(bytes(range(256)) * 20)
    for path in (lists, junk):
        with pytest.raises(InputError, match="cannot be read as Parquet"):
            read_data(path)


def test_wrong_column_and_unit(tmp_path) -> None:
    data = read_data(write(tmp_path, "time [s],p [bar]\n0,1\n0.01,2\n"))
    with pytest.raises(InputError, match="unknown column 'q'"):
        data.column("q", "Pa")
    with pytest.raises(InputError, match="wrong dimension"):
        data.column("p", "m")
    with pytest.raises(InputError, match="no such file"):
        read_data(tmp_path / "none.csv")
