"""Progress bars with simulated time, real-time factor and time left."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from gerotor.studies.base import Watch


class BarWatch(Watch):
    """One bar a stage."""

    def __init__(self, bars: Progress) -> None:
        self.bars = bars

    def stage(self, title: str, simulated: float) -> Callable[[float, float], None]:
        task = self.bars.add_task(title, total=simulated, factor="")

        def advance(done: float, wall: float) -> None:
            factor = f"{done / wall:,.0f}x real time" if wall > 0 else ""
            self.bars.update(task, completed=done, factor=factor)

        return advance


@contextmanager
def watching(console: Console) -> Iterator[BarWatch]:
    """A watch whose bars are drawn on `console` while the block runs."""
    columns = (
        TextColumn("{task.description}"), BarColumn(bar_width=28), TextColumn("{task.completed:.4g} / {task.total:.4g} s"),
        TextColumn("{task.fields[factor]}"), TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=False) as bars:
        yield BarWatch(bars)
