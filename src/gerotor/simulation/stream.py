"""A recording written while a run goes on: readable up to the last flush whatever happens to the process.

The file (.arrows) is an Arrow IPC stream, one batch of rows a flush; each batch carries the facts so far
(the deadline ledger among them) as metadata "gerotor". A batch is written whole or not at all: after a
failed write the file is cut back to its last whole batch. The reader stops at a torn tail.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gerotor.errors import DeviceError, InputError
from gerotor.simulation.recording import Recording, read_facts

Array = NDArray[np.float64]


class StreamRecorder:
    """`append(rows)` collects; at most `interval` seconds of rows wait for the disk.

    Where the disk is full the run goes on: the waiting rows are given up (`lost`), `trouble` says why,
    and every later flush tries again.
    """

    def __init__(self, path: str | Path, names: list[str], units: list[str], facts: Callable[[], dict[str, Any]],
                 interval: float = 0.5) -> None:
        import pyarrow as pa

        self.path, self.interval, self._facts = Path(path), interval, facts
        if self.path.suffix != ".arrows":
            raise InputError(f"{path}: recordings written while running end in .arrows")
        fields = [pa.field(n, pa.float64(), metadata={"unit": u}) for n, u in zip(["time", *names], ["s", *units], strict=True)]
        self._schema = pa.schema(fields, metadata={"gerotor": json.dumps(facts())})
        self._waiting: list[Array] = []
        self._due = time.monotonic() + interval
        self.rows, self.lost, self.trouble = 0, 0, ""
        head = bytes(self._schema.serialize())
        self._head = len(head)
        try:
            self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        except OSError as error:
            raise DeviceError(f"{path}: cannot be written ({error.strerror})") from error
        self._size = 0
        if not self._write(head):
            os.close(self._file)
            raise DeviceError(f"{path}: cannot be written ({self.trouble})")

    def _batch(self, rows: Array) -> bytes:
        """One batch of the stream: what a stream of this batch alone has after its head."""
        import pyarrow as pa

        sink = pa.BufferOutputStream()
        writer = pa.ipc.new_stream(sink, self._schema)
        columns = [pa.array(np.ascontiguousarray(rows[:, k])) for k in range(rows.shape[1])]
        facts = {"gerotor": json.dumps({**self._facts(), "rows_given_up": self.lost})}
        writer.write_batch(pa.record_batch(columns, schema=self._schema), custom_metadata=facts)
        end = sink.tell()
        writer.close()
        return bytes(sink.getvalue())[self._head : end]

    def _write(self, data: bytes) -> bool:
        try:
            done = 0
            while done < len(data):
                done += os.write(self._file, data[done:])
        except OSError as error:
            self.trouble = error.strerror or str(error)
            os.ftruncate(self._file, self._size)
            os.lseek(self._file, self._size, os.SEEK_SET)
            return False
        self._size += len(data)
        self.trouble = ""
        return True

    def append(self, rows: Array) -> None:
        """Take rows; write them when they are due."""
        if len(rows):
            self._waiting.append(rows)
        if time.monotonic() >= self._due:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        self._due = time.monotonic() + self.interval
        if not self._waiting:
            return
        rows = np.concatenate(self._waiting)
        self._waiting = []
        if self._write(self._batch(rows)):
            self.rows += len(rows)
        else:
            self.lost += len(rows)

    def close(self) -> Path:
        """Write what waits and the final facts; the recording is complete."""
        self.flush()
        self._write(self._batch(np.empty((0, len(self._schema)))))
        os.close(self._file)
        return self.path


def read_stream(path: str | Path) -> Recording:
    """Every whole batch of a recording; `facts["complete"]` is False where the tail is torn or the end missing."""
    import pyarrow as pa

    facts: dict[str, Any] = {}
    batches = []
    try:
        with pa.OSFile(str(path)) as file:
            reader = pa.ipc.open_stream(file)
            schema = reader.schema
            facts = read_facts(schema.metadata)
            ended = False
            while True:
                try:
                    batch, metadata = reader.read_next_batch_with_custom_metadata()
                except (StopIteration, OSError, pa.ArrowInvalid):
                    break
                if metadata is not None and b"gerotor" in metadata:
                    facts = read_facts(metadata)
                ended = batch.num_rows == 0
                batches.append(np.column_stack([c.to_numpy() for c in batch.columns]))
    except (OSError, ValueError, pa.ArrowInvalid) as error:
        raise InputError(f"{path}: not a recording ({str(error).splitlines()[0]})") from error
    units = [(field.metadata or {}).get(b"unit", b"1").decode() for field in schema]
    values = np.concatenate(batches) if batches else np.empty((0, len(schema)))
    return Recording(list(schema.names)[1:], units[1:], values, {**facts, "complete": ended})
