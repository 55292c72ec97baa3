"""kill -9 in the middle of a paced run: everything up to the last second is readable."""

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np

from gerotor.realtime.ledger import Ledger
from gerotor.simulation.stream import read_stream

CHILD = """
import sys, time
sys.path.insert(0, {root!r})
from tests.realtime.plant import lag
from gerotor.realtime.paced_run import PacedRun
from gerotor.simulation.stream import StreamRecorder
plant = lag(method="rk4")
run = PacedRun(plant, plant.world(1e-3), rate=1000)
stream = StreamRecorder({path!r}, run.names, run.units, lambda: {{"ledger": run.ledger().facts()}})
run.listeners.append(stream.append)
run.start()
while True:
    time.sleep(0.05)
    now = run.time
    run.drain()
    print(now, flush=True)
"""


def test_kill(tmp_path: Path) -> None:
    path, root = tmp_path / "run.arrows", str(Path(__file__).parents[2])
    child = subprocess.Popen([sys.executable, "-c", CHILD.format(root=root, path=str(path))], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    last = 0.0
    for line in child.stdout:
        last = float(line)
        if last > 1.5:
            child.send_signal(signal.SIGKILL)
            break
    child.wait()
    back = read_stream(path)
    assert back.time[-1] >= last - 1.0
    np.testing.assert_allclose(np.diff(back.time), 1e-3, atol=1e-9)
    assert back.facts["complete"] is False
    ledger = Ledger.from_facts(back.facts["ledger"])
    assert ledger.ticks >= len(back)
