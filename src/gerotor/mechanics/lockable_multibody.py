"""Open tree of rigid bodies whose joints can be locked one by one during a run."""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca

from gerotor.core.component import Expression, Signal, Signals, param
from gerotor.maths.sparse_lu import SparseLU
from gerotor.mechanics.multibody import Multibody


@dataclass(frozen=True, kw_only=True, eq=False)
class LockableMultibody(Multibody):
    """A multibody with a switch s for every joint, 1 locked, 0 free; held between samples.

    free    q' = v,   M_FF v_F' = (tau - b(q, (1 - s) v))_F                              (1)
    locked  q' = 0,   v' = (r - v) / T                                                   (2)
    hold    tau_h = M a + b,   a = v' of the free joints, 0 of the locked                (3)
    The speed of a locked joint is only a memory: it follows the residual speed r, with which the
    joint starts again when it is freed, so that all states stay continuous. `hold` is what the
    drive of a locked joint carries (of a free joint: what drives it).
    Source: [papadopoulos2002, sec. 4, eqs. 11, 15, 16]; the moving joints load the locked ones
    through M_LF, which eq. 16 leaves out.
    """

    time_constant: Expression = param("s", "T, of the follower of the residual speed", above=0)

    @property
    def inputs(self) -> dict[str, Signal]:  # type: ignore[override]
        names, units = self.tree.names, tuple(j.unit for j in self.tree.moving)
        return {
            **super().inputs,
            "locked": Signal("1", names=names),
            "r": Signal("rad/s", names=names, units=tuple(f"{unit}/s" for unit in units)),
        }

    @property
    def outputs(self) -> dict[str, Signal]:  # type: ignore[override]
        return {**super().outputs, "hold": super().inputs["tau"]}

    def output(self, x: Signals, u: Signals) -> Signals:
        free = 1 - u.locked
        force = super().derivative(Signals(q=x.q, v=free * x.v), u).v
        a = SparseLU(self.mass(x, u)).solve(free * force)
        hold = super().mass(x, u) @ a - force + u.tau  # (3)
        return Signals(**vars(super().output(x, u)), hold=ca.densify(hold))

    def derivative(self, x: Signals, u: Signals) -> Signals:
        moving = (1 - u.locked) * x.v
        force = super().derivative(Signals(q=x.q, v=moving), u).v
        return Signals(q=moving, v=ca.if_else(u.locked, (u.r - x.v) / self.time_constant, force))  # (1), (2)

    def mass(self, x: Signals, u: Signals) -> Expression:
        """M with the rows and columns of locked joints replaced by the identity's."""
        full, free = super().mass(x, u), 1 - u.locked
        out = ca.SX(*full.shape)
        for i, j in zip(*full.sparsity().get_triplet(), strict=True):
            out[i, j] = full[i, j] * free[i] * free[j] if i != j else full[i, i] * free[i] + u.locked[i]
        return out
