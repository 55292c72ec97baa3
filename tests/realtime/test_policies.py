"""What happens on a missed deadline, worked by hand on a made-up clock: no wall time is involved."""

import ctypes
import itertools
from collections.abc import Sequence
from typing import Any

import pytest

from gerotor.realtime.ledger import Ledger
from gerotor.realtime.shared import POLICIES, CPaced, native

MS = 1_000_000
CLOCK = ctypes.CFUNCTYPE(ctypes.c_longlong)
SLEEP = ctypes.CFUNCTYPE(None, ctypes.c_longlong)


class Rig:
    """A loop of 1 ms ticks whose k-th tick computes for `burdens[k]` ms; remembers when each tick began.

    Without a world there is nothing to run, so the burden is added where the loop looks at the clock at
    the end of a tick: of the two looks a tick, the second.
    """

    def __init__(self, policy: str, burdens: Sequence[float], backlog: float = 1000.0) -> None:
        self.time, self.starts, self.looks = 0, [], 0
        self.burdens = list(burdens)
        self.c = CPaced(period=MS, backlog=round(backlog * MS), ticks_max=len(burdens), cpu=-1, scale=1.0,
                        policy=POLICIES.index(policy), steps_per_tick=1.0)
        self.c.link.socket = -1
        self._keep = CLOCK(self._look), SLEEP(self._sleep)
        self.c.clock, self.c.sleep = (ctypes.cast(f, ctypes.c_void_p) for f in self._keep)
        native().paced_loop(ctypes.addressof(self.c))
        self.ledger = Ledger.read(self.c.ledger, 1000, policy)

    def _look(self) -> int:
        self.looks += 1
        if self.looks == 1:
            return 0
        tick, second = divmod(self.looks - 2, 2)
        if second:
            self.time += round(self.burdens[tick] * MS)
        else:
            self.starts.append(self.time / MS)
        return self.time

    def _sleep(self, until: int) -> None:
        self.time = max(self.time, until)


def test_all_in_time() -> None:
    rig = Rig("catch up", [0.25] * 5)
    assert rig.starts == [1, 2, 3, 4, 5]
    assert rig.ledger.missed == 0
    assert rig.ledger.compute.worst == pytest.approx(0.25e-3)
    assert rig.ledger.lateness.worst == 0


def test_catch_up_keeps_the_schedule() -> None:
    """Tick 2 takes 2.5 ms: it ends at 4.5, the ticks of 3 and 4 run at once, that of 5 in time."""
    rig = Rig("catch up", [0.1, 2.5, 0.1, 0.1, 0.1, 0.1])
    assert rig.starts == pytest.approx([1, 2, 4.5, 4.6, 5, 6])
    assert (rig.ledger.missed, rig.ledger.longest_burst, rig.ledger.skipped, rig.ledger.slip) == (2, 2, 0, 0)
    assert rig.ledger.caught_up == 2
    assert rig.ledger.lateness.worst == pytest.approx(1.5e-3)


def test_catch_up_gives_up_what_is_too_far_behind() -> None:
    """20 ms late with a backlog of 5 ms: 15 ticks are left out, the rest is caught up."""
    rig = Rig("catch up", [21, *[0.1] * 10], backlog=5)
    assert rig.ledger.skipped == 15
    assert rig.ledger.slip == pytest.approx(15e-3)
    assert rig.starts[1] == pytest.approx(22)
    assert rig.starts[-1] == pytest.approx(26)
    assert rig.ledger.lateness.worst == pytest.approx(5e-3 - 1e-3 + 1e-3)


def test_skip_waits_for_the_next_release_of_the_same_schedule() -> None:
    rig = Rig("skip", [0.1, 2.5, 0.1, 0.1])
    assert rig.starts == pytest.approx([1, 2, 5, 6])
    assert (rig.ledger.missed, rig.ledger.skipped, rig.ledger.caught_up) == (1, 2, 0)
    assert rig.ledger.slip == pytest.approx(2e-3)


def test_stretch_moves_the_schedule() -> None:
    rig = Rig("stretch", [0.1, 2.5, 0.1, 0.1])
    assert rig.starts == pytest.approx([1, 2, 4.5, 5.5])
    assert (rig.ledger.missed, rig.ledger.skipped) == (1, 0)
    assert rig.ledger.slip == pytest.approx(1.5e-3)


def test_stop_stops() -> None:
    rig = Rig("stop", [0.1, 2.5, 0.1, 0.1])
    assert rig.starts == [1, 2]
    assert rig.c.state == 5
    assert rig.ledger.missed == 1


@pytest.mark.parametrize("policy", ["catch up", "skip", "stretch"])
def test_overload_goes_on(policy: str) -> None:
    """Every tick takes 1.5 periods: all are missed, all are run."""
    rig = Rig(policy, [1.5] * 8)
    assert rig.ledger.ticks == 8
    assert rig.ledger.missed == rig.ledger.longest_burst == 8
    spacing: Any = {b - a for a, b in itertools.pairwise(rig.starts)}
    assert spacing == ({2} if policy == "skip" else {1.5})
