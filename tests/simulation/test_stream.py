import errno
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gerotor.errors import DeviceError, InputError
from gerotor.simulation.recording import Recording
from gerotor.simulation.stream import StreamRecorder, read_stream


def rows(start: int, count: int) -> np.ndarray:
    t = np.arange(start, start + count) * 0.01
    return np.column_stack([t, np.sin(t), np.cos(t)])


def recorder(path: Path, interval: float = 1e9) -> StreamRecorder:
    return StreamRecorder(path, ["a.p", "b.v"], ["Pa", "m/s"], lambda: {"machine": "rig", "ledger": {"ticks": 7}}, interval)


def test_round_trip(tmp_path: Path) -> None:
    stream = recorder(tmp_path / "run.arrows")
    for k in range(5):
        stream.append(rows(100 * k, 100))
        stream.flush()
    stream.close()
    back = Recording.load(tmp_path / "run.arrows")
    np.testing.assert_array_equal(back.values, rows(0, 500))
    assert back.names == ["a.p", "b.v"] and back.units == ["Pa", "m/s"]
    assert back.facts == {"machine": "rig", "ledger": {"ticks": 7}, "rows_given_up": 0, "complete": True}


@pytest.mark.parametrize("cut", [1, 7, 100, 1000])
def test_torn_tail(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "run.arrows"
    stream = recorder(path)
    sizes = []
    for k in range(3):
        stream.append(rows(100 * k, 100))
        stream.flush()
        sizes.append(path.stat().st_size)
    os.truncate(path, sizes[-1] - cut)
    back = read_stream(path)
    assert len(back) == 200
    assert back.facts["complete"] is False and back.facts["machine"] == "rig"


def test_waits_at_most_the_interval(tmp_path: Path) -> None:
    stream = recorder(tmp_path / "run.arrows", interval=0.0)
    stream.append(rows(0, 10))
    assert len(read_stream(stream.path)) == 10


def test_full_disk_loses_only_what_was_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = recorder(tmp_path / "run.arrows")
    stream.append(rows(0, 100))
    stream.flush()
    real, room = os.write, [500]

    def full(file: int, data: bytes) -> int:
        if not room[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        done = real(file, data[: room[0]])
        room[0] -= done
        return done

    monkeypatch.setattr(os, "write", full)
    stream.append(rows(100, 100))
    stream.flush()
    assert (stream.lost, stream.trouble) == (100, "No space left on device")
    assert len(read_stream(stream.path)) == 100
    monkeypatch.setattr(os, "write", real)
    stream.append(rows(200, 100))
    stream.close()
    back = read_stream(stream.path)
    np.testing.assert_array_equal(back.time, np.concatenate([rows(0, 100), rows(200, 100)])[:, 0])
    assert back.facts["rows_given_up"] == 100 and back.facts["complete"]


def test_file_size_limit_of_the_system(tmp_path: Path) -> None:
    """A real limit, in a process of its own: what fits is readable, the recorder goes on."""
    code = f"""
import resource, signal
import numpy as np
from gerotor.simulation.stream import StreamRecorder
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
s = StreamRecorder({str(tmp_path / "run.arrows")!r}, ["a"], ["1"], dict, 1e9)
for k in range(10):
    s.append(np.full((200, 2), float(k))); s.flush()
trouble = s.trouble
s.close()
print(s.rows, s.lost, trouble)
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split(None, 2)
    kept, lost = int(out[0]), int(out[1])
    assert kept + lost == 2000 and 0 < kept < 2000 and "large" in out[2]
    assert len(read_stream(tmp_path / "run.arrows")) == kept


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.arrows"):
        recorder(tmp_path / "run.csv")
    with pytest.raises(DeviceError, match="No such file"):
        recorder(tmp_path / "no" / "run.arrows")
    (tmp_path / "noise.arrows").write_bytes(os.urandom(1000))
    with pytest.raises(InputError, match="not a recording"):
        read_stream(tmp_path / "noise.arrows")
    (tmp_path / "empty.arrows").write_bytes(b"")
    with pytest.raises(InputError, match="not a recording"):
        read_stream(tmp_path / "empty.arrows")
