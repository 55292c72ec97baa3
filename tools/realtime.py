"""Measures a paced run of the arm in closed loop beside a bare sleeping loop in the same run.

python tools/realtime.py [--rate 1000] [--seconds 60] [--page] [--fifo 50]
"""

from __future__ import annotations

import argparse
import sys

from gerotor.realtime.paced_run import bare_loop
from gerotor.realtime.session import Session
from gerotor.realtime.stages import stage


def main() -> None:
    """Print both ledgers."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--machine", default="kaeri-arm")
    parser.add_argument("--rate", type=float, default=1000.0)
    parser.add_argument("--step", type=float, default=None, help="s; default: a tick")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--method", default="")
    parser.add_argument("--fifo", type=int, default=0)
    parser.add_argument("--page", type=int, default=0, help="port of a live page to show beside it")
    a = parser.parse_args()
    shown = stage(a.machine, "operate")
    session = Session(a.machine, shown, rate=a.rate, step=a.step or 1 / a.rate, method=a.method, fifo=a.fifo)
    if a.page:
        from gerotor.viewer.page import LivePage

        LivePage(session, {a.machine: ["operate"]}, lambda m, s: session, port=a.page).start()
    thread, bare = bare_loop(a.rate, a.seconds, fifo=a.fifo)
    session.start()
    session.levers({lever.input: 0.5 for lever in shown.levers[:1]})
    thread.join()
    ledger = session.close()
    sys.stdout.write(f"closed loop\n{ledger}\n\nbare sleeping loop\n{bare()}\n")


if __name__ == "__main__":
    main()
