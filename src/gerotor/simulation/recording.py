"""What a run recorded: named columns with units, as Parquet, CSV or arrays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain
from os.path import isfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gerotor.errors import InputError, unknown

Array = NDArray[np.float64]


@dataclass(eq=False)
class Recording:
    """Column `time` in s and one column a signal; `facts` say how it was made."""

    names: list[str]
    units: list[str]
    values: Array  # rows x (1 + signals), time first
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def time(self) -> Array:
        return self.values[:, 0]

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, name: str) -> Array:
        if name == "time":
            return self.time
        if name not in self.names:
            raise InputError(unknown("column", name, self.names))
        return self.values[:, 1 + self.names.index(name)]

    def unit(self, name: str) -> str:
        return "s" if name == "time" else self.units[self.names.index(name)]

    def to_pandas(self) -> Any:
        """A DataFrame; units in its attrs."""
        import pandas as pd

        frame = pd.DataFrame(self.values, columns=["time", *self.names])
        frame.attrs["units"] = dict(zip(["time", *self.names], ["s", *self.units], strict=True))
        return frame

    def save(self, path: str | Path) -> Path:
        """Write Parquet (.parquet) or CSV (.csv, header "name [unit]")."""
        path = Path(path)
        if path.suffix == ".csv":
            header = ",".join(f"{n} [{u}]" for n, u in zip(["time", *self.names], ["s", *self.units], strict=True))
            np.savetxt(path, self.values, delimiter=",", header=header, comments="", fmt="%.17g")
        elif path.suffix == ".parquet":
            import pyarrow as pa
            import pyarrow.parquet as pq

            fields = [
                pa.field(n, pa.float64(), metadata={"unit": u})
                for n, u in zip(["time", *self.names], ["s", *self.units], strict=True)
            ]
            schema = pa.schema(fields, metadata={"gerotor": json.dumps(self.facts)})
            columns = [np.ascontiguousarray(self.values[:, k]) for k in range(self.values.shape[1])]
            arrays = [pa.Array.from_buffers(pa.float64(), len(c), [None, pa.py_buffer(c)]) for c in columns]
            pq.write_table(pa.Table.from_arrays(arrays, schema=schema), path)
        else:
            raise InputError(f"{path}: recordings are .parquet or .csv")
        return path

    @staticmethod
    def load(path: str | Path) -> Recording:
        """Read what `save` or a StreamRecorder wrote."""
        path = Path(path)
        if not isfile(path):
            raise InputError(f"{path}: no such recording")
        if path.suffix == ".arrows":
            from gerotor.simulation.stream import read_stream

            return read_stream(path)
        try:
            return _load_csv(path) if path.suffix == ".csv" else _load_parquet(path)
        except (ValueError, TypeError, OSError, KeyError, IndexError) as error:
            raise InputError(f"{path}: not a recording ({str(error).splitlines()[0]})") from error


def _load_csv(path: Path) -> Recording:
    with path.open() as file:
        titles = file.readline().strip().split(",")
        if titles[0] != "time [s]" or not all(t.endswith("]") and " [" in t for t in titles):
            raise ValueError('expected a header of "time [s]" and "name [unit]"')
        first = file.readline()
        if not first.strip():
            raise ValueError("it has no rows")
        values = np.loadtxt(chain([first], file), delimiter=",", ndmin=2)
    pairs = [t.rsplit(" [", 1) for t in titles]
    return Recording([p[0] for p in pairs[1:]], [p[1].rstrip("]") for p in pairs[1:]], values)


def _load_parquet(path: Path) -> Recording:
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    units = [(table.schema.field(n).metadata or {}).get(b"unit", b"1").decode() for n in table.column_names]
    values = np.column_stack([table.column(n).to_numpy() for n in table.column_names]).astype(float)
    return Recording(table.column_names[1:], units[1:], values, read_facts(table.schema.metadata))


def read_facts(metadata: Mapping[bytes, bytes] | None) -> dict[str, Any]:
    """How a recording was made, from a file's metadata."""
    facts = json.loads((metadata or {}).get(b"gerotor", b"{}"))
    if not isinstance(facts, dict):
        raise ValueError(f"its facts are a {type(facts).__name__}, not keys and values")
    return facts
