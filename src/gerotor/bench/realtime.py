"""A machine in closed loop against the wall clock beside a browser that watches it, and a bare sleeping loop as the yardstick.

Both loops run at the same time, at the same rate and priority, on the same processors: what the bare one shows is the
operating system's doing, what the closed loop shows beyond that is ours.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import Any

from gerotor.bench.base import Result, Say
from gerotor.bench.browser import headless
from gerotor.realtime.ledger import Ledger
from gerotor.realtime.paced_run import bare_loop
from gerotor.realtime.session import Session
from gerotor.realtime.stage import Stage
from gerotor.realtime.stages import stage
from gerotor.simulation.report import TableRows

CASES = ((1000.0, 60.0), (5000.0, 20.0))  # Hz, s
MEAN = "mean compute time over the period"
SHARE = 0.05  # of the period, the most that computing a step should take
PRIORITY = 50  # of SCHED_FIFO


def realtime(say: Say = print, *, machine: str = "kaeri-arm", cases: tuple[tuple[float, float], ...] = CASES) -> Result:
    """Every case at ordinary priority, then under SCHED_FIFO where that is permitted."""
    result, chosen = Result(), stage(machine)
    before = os.getloadavg()[0]
    with headless() as browser:
        for fifo in (0, PRIORITY):
            for rate, seconds in cases:
                case = Case(machine, chosen, rate, seconds, fifo)
                say(f"{case.title}, {seconds:g} s")
                if not _pair(result, case, browser):
                    result.notes.append("SCHED_FIFO is not permitted here: ordinary priority only")
                    return _noted(result, chosen, browser, before)
    return _noted(result, chosen, browser, before)


@dataclass(frozen=True)
class Case:
    """One pair of loops."""

    machine: str
    stage: Stage
    rate: float
    seconds: float
    fifo: int

    @property
    def title(self) -> str:
        return f"{self.rate:g} Hz, " + (f"SCHED_FIFO {self.fifo}" if self.fifo else "ordinary priority")


def _pair(result: Result, case: Case, browser: Any) -> bool:
    """Both loops side by side; whether the priority was granted."""
    from gerotor.viewer.page import LivePage

    session = Session(case.machine, case.stage, rate=case.rate, step=min(case.stage.step, 1 / case.rate), fifo=case.fifo)
    page = LivePage(session, {case.machine: [case.stage.name]}, lambda m, s: session, port=0)
    page.start()
    tab = _watching(browser, page.port)
    thread, bare = bare_loop(case.rate, case.seconds, fifo=case.fifo)
    session.start()
    _operate(session, thread)
    ledger, pictures = session.close(), page.pictures
    if tab is not None:
        tab.close()
    page.close()
    if any("SCHED_FIFO" in notice for notice in ledger.notices):
        return False
    ours, other = _numbers(ledger), _numbers(bare())
    for system, numbers in (("closed loop", ours), ("bare loop", other)):
        for label, (value, unit) in numbers.items():
            result.add(f"{system}, {case.title}", label, value, unit)
    result.add(f"viewer, {case.title}", "pictures", pictures / case.seconds, "1/s")
    rows = [(label, _shown(*ours[label]), _shown(*other[label])) for label in ours]
    result.tables.append(TableRows(f"{case.title}, {case.seconds:g} s", ("", "closed loop", "bare sleeping loop"), rows))
    return True


def _operate(session: Session, thread: Any) -> None:
    """Levers to and fro until the bare loop ends: an arm at rest would be no load."""
    way = 1.0
    while thread.is_alive():
        if session.stage.levers:
            session.levers({lever.input: 0.5 * way * lever.upper for lever in session.stage.levers[:2]})
        way = -way
        thread.join(2.0)


def _numbers(ledger: Ledger) -> dict[str, tuple[float, str]]:
    """The ledger as labelled numbers with units."""
    out = {"ticks": (float(ledger.ticks), ""), MEAN: (100 * ledger.mean_compute * ledger.rate, "%")}
    for kind, d in (("compute time", ledger.compute), ("lateness", ledger.lateness)):
        for point, seconds in (("p50", d.p50), ("p99", d.p99), ("p99.99", d.p9999), ("worst", d.worst)):
            out[f"{kind} {point}"] = (seconds * 1e6, "us")
    return out | {"missed deadlines": (float(ledger.missed), ""), "longest burst of misses": (float(ledger.longest_burst), "")}


def _shown(value: float, unit: str) -> str:
    if not unit:
        return f"{value:.0f}"
    return f"{value / 1000:.3g} ms" if unit == "us" and value >= 1000 else f"{value:.3g} {unit}"


def _noted(result: Result, chosen: Stage, browser: Any, before: float) -> Result:
    worst = max((r.value for r in result.rows if r.system.startswith("closed") and r.case == MEAN), default=0.0)
    result.notes += [
        f"{chosen.name}, {chosen.method}, one step a tick, recorded every 10 ms; levers moved every 2 s",
        f"mean compute time at most {worst:.2g} % of the period: {'within' if worst <= 100 * SHARE else 'ABOVE'} the "
        f"{100 * SHARE:g} % asked for; the tail is the ticks with controller and recorded row (one every 10 ms) and those in "
        "which something else had the processor",
        f"load average {before:.2f} before, {os.getloadavg()[0]:.2f} after, {os.cpu_count()} processors, shared with the browser "
        "and with whatever else runs here: lateness and misses are of this machine on this day",
    ]
    if browser is None:
        result.notes.append("NO BROWSER watched: Chromium or playwright is missing (pip install gerotor[test])")
    return result


def _watching(browser: Any, port: int) -> Any:
    """A tab that has drawn the page."""
    if browser is None:
        return None
    tab = browser.new_page(viewport={"width": 1200, "height": 800})
    tab.goto(f"http://127.0.0.1:{port}?fixedDpr=0.5", timeout=90_000)
    tab.get_by_text("EMERGENCY STOP").wait_for(timeout=90_000)
    time.sleep(1.0)
    return tab
