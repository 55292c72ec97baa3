"""What can be run live: a closed loop with its levers, gauges and things to see."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gerotor.codegen.world import World
from gerotor.contact.pipe_cut import PipeCut
from gerotor.integrators import DEFAULT
from gerotor.mechanics.tree import Tree
from gerotor.realtime.training import Course
from gerotor.simulation.simulation import Simulation

Array = NDArray[np.float64]
DISPLAY = {  # unit -> (shown as, factor)
    "Pa": ("bar", 1e-5), "rad": ("deg", 180 / np.pi), "m": ("mm", 1e3), "A": ("mA", 1e3), "m^3/s": ("L/min", 6e4),
    "N": ("N", 1.0), "N*m": ("N m", 1.0), "rad/s": ("deg/s", 180 / np.pi), "m/s": ("mm/s", 1e3), "1": ("", 1.0),
    "kg": ("kg", 1.0), "W": ("kW", 1e-3), "m^2": ("cm^2", 1e4),
}
FINE = {"rad": ("mdeg", 180e3 / np.pi), "m": ("um", 1e6)}  # for errors on a path


def shown(unit: str) -> tuple[str, float]:
    """How a unit is shown, and the factor to it."""
    return DISPLAY.get(unit, (unit, 1.0))


@dataclass(frozen=True)
class Lever:
    """An input for the operator's hand, springing back to `neutral`; or, with `target`, a slider for a position."""

    input: str
    label: str
    unit: str
    lower: float
    upper: float
    neutral: float = 0.0
    target: str = ""  # the input of the slider that goes with it, if any
    range: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Gauge:
    """Signals of one unit in one plot; `less` are subtracted one by one (a tracking error)."""

    title: str
    unit: str
    signals: tuple[str, ...]
    less: tuple[str, ...] = ()
    display: tuple[str, float] | None = None  # unit and factor to it, where the usual ones do not fit
    top: float | None = None  # SI, where a full bar ends; default: the largest of late

    @property
    def shown(self) -> tuple[str, float]:
        """The unit it is shown in, and the factor to it."""
        return self.display or shown(self.unit)

    @property
    def positive(self) -> bool:
        """Whether it has no sign worth showing."""
        return self.unit == "Pa" and not self.less


@dataclass(frozen=True)
class Rod:
    """A cylinder between a point of one frame and a point of another; extends with their distance."""

    name: str
    from_frame: str | None
    from_point: tuple[float, float, float]
    to_frame: str
    to_point: tuple[float, float, float]
    closed_length: float
    bore: float


@dataclass(frozen=True)
class Bar:
    """A round bar to see, on a frame (None: the ground); thick and short it is a disc."""

    name: str
    frame: str | None
    start: tuple[float, float, float]
    end: tuple[float, float, float]
    radius: float
    colour: tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class Skin:
    """A mesh to see, on a frame (None: the ground)."""

    name: str
    frame: str | None
    vertices: Array
    faces: NDArray[np.int64]
    colour: tuple[int, int, int]


@dataclass(frozen=True)
class Arrow:
    """A force to see: its three signals, where it acts, and m of arrow a N."""

    force: tuple[str, str, str]
    frame: str
    scale: float


@dataclass(frozen=True)
class Setting:
    """A number that is chosen before a run starts; with 0 to 1 in steps of 1 it is a switch."""

    name: str
    label: str
    unit: str
    lower: float
    upper: float
    step: float
    start: float


@dataclass(frozen=True)
class Pipe:
    """A pipe to cut, and which signals tell about the cut."""

    cut: PipeCut
    name: str  # of the part that remembers the cut
    columns: int
    force: tuple[str, str]
    centre: tuple[str, str, str]


@dataclass(frozen=True, eq=False)
class Stage:
    """A live scenario. `build(method)` makes it; `joints` are the signals of the tree's q, in order.

    `prepare(simulation, world, settings)` puts the settings into a fresh world. `solids` are drawn
    instead of the beams that a tree gets by itself.
    """

    name: str
    title: str
    tree: Tree
    joints: tuple[str, ...]
    build: Callable[[str], Simulation]
    start: Mapping[str, float]
    step: float
    method: str = DEFAULT
    levers: tuple[Lever, ...] = ()
    gauges: tuple[Gauge, ...] = ()
    also: tuple[str, ...] = ()  # further signals to record
    tool: str = ""
    path: Array | None = None  # target path of the tool, N x 3
    pipe: Pipe | None = None
    rods: tuple[Rod, ...] = ()
    duration: float | None = None
    safe: Mapping[str, float] | None = None  # what a stop forces; default: the machine's inputs to their start values
    stop_time: float = 0.5  # simulated s that a stop takes: valves shut in no time would tear the oil apart
    controllers: tuple[str, ...] = ()  # parts whose memory is cleared when a stop is released
    course: Course | None = None  # operator training
    settings: tuple[Setting, ...] = ()
    prepare: Callable[[Simulation, World, Mapping[str, float]], None] | None = None
    solids: tuple[Bar | Skin, ...] = ()
    arrow: Arrow | None = None

    @cached_property
    def recorded(self) -> list[str]:
        """Every signal the page needs, once."""
        names: list[str] = list(self.joints)
        for gauge in self.gauges:
            names += [*gauge.signals, *gauge.less]
        return list(dict.fromkeys([*names, *(self.arrow.force if self.arrow else ()), *self.also]))


def pick(names: Sequence[str], ending: str) -> tuple[str, ...]:
    """The names that end so."""
    return tuple(n for n in names if n.endswith(ending))
