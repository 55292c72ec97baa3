"""A rod between two frames of a mechanism: motion of all joints to its length and speed, its force to all joints."""

from __future__ import annotations

from dataclasses import dataclass

from gerotor.core.component import Component, Signal, Signals
from gerotor.mechanics.line_of_action import LineOfAction
from gerotor.mechanics.tree import Tree


@dataclass(frozen=True, kw_only=True, eq=False)
class Rod(Component):
    """A cylinder that spans any number of joints, of an open or a closed chain.

    l = |r_b - r_a|,   v = L w,   tau = L' F,   L = dl/dq                                  (1)
    q and w are all joints of the tree, dependent ones too. F > 0 pushes the frames apart. Source: virtual
    work; [khadim2021, eqs. 33 and 36] put right.
    """

    tree: Tree
    line: LineOfAction

    def __post_init__(self) -> None:
        super().__post_init__()
        for frame in (self.line.a, self.line.b):
            self.tree.place(frame)

    @property
    def inputs(self) -> dict[str, Signal]:  # type: ignore[override]
        joints, names = self.tree.moving, self.tree.names
        return {
            "q": Signal("rad", names=names, units=tuple(j.unit for j in joints)),
            "w": Signal("rad/s", names=names, units=tuple(f"{j.unit}/s" for j in joints)),
            "F": Signal("N"),
        }

    @property
    def outputs(self) -> dict[str, Signal]:  # type: ignore[override]
        units = tuple(j.force_unit for j in self.tree.moving)
        return {"l": Signal("m"), "v": Signal("m/s"), "tau": Signal("N*m", names=self.tree.names, units=units)}

    def output(self, x: Signals, u: Signals) -> Signals:
        length, lever = self.line.length(self.tree, u.q)
        return Signals(l=length, v=lever @ u.w, tau=lever.T * u.F)  # (1)
