"""What an integrator is: a name, an order, and a step written as expressions of any Ode.

    (x, m, e) <- step(x, m, u, p, t, h)                                                  (1)

m is the method's memory (accelerations, past derivatives), empty for one-step methods; e estimates
the error that this step makes in each state.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import casadi as ca

from gerotor.core.component import Expression
from gerotor.core.ode import Ode
from gerotor.maths.as_written import as_written


@dataclass(frozen=True)
class Step:
    """The functions of one method on one Ode.

    `step` and `warm` map (x, m, u, p, t, h) to (x, m, e); `warm` serves the first `warmup` steps.
    `start` maps (x, u, p, t) to the memory at the first step. A `divisible` step may be repeated in
    parts where e is too large; any other is only watched.
    """

    step: Any
    memory: int = 0
    start: Any = None
    warm: Any = None
    warmup: int = 0
    divisible: bool = True


class Integrator(ABC):
    """A fixed-step method; instances are frozen dataclasses of its options."""

    name: ClassVar[str]
    order: ClassVar[int]
    l_stable: ClassVar[bool] = False

    @abstractmethod
    def build(self, ode: Ode) -> Step:
        """The step of this method on `ode`."""


class Symbols:
    """The arguments of a step as symbols, SX (from the Ode) or MX (to chain function calls)."""

    def __init__(self, ode: Ode, memory: int = 0, kind: Any = ca.SX) -> None:
        self.x = ode.x if kind is ca.SX else kind.sym("x", ode.x.numel())
        self.u = ode.u if kind is ca.SX else kind.sym("u", ode.u.numel())
        self.p = ode.p if kind is ca.SX else kind.sym("p", ode.p.numel())
        self.t = ode.t if kind is ca.SX else kind.sym("t")
        self.h = kind.sym("h")
        self.m = kind.sym("m", memory)

    def step(self, x_next: Expression, error: Expression, m_next: Expression | None = None, name: str = "step") -> Any:
        """The function (1)."""
        m_next = self.m if m_next is None else m_next
        arguments = [self.x, self.m, self.u, self.p, self.t, self.h]
        options = {"cse": True} if isinstance(self.x, ca.SX) else {}
        with as_written():
            return ca.Function(name, arguments, [x_next, m_next, ca.densify(error)], options)
