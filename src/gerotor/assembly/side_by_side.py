"""Several machines in one Ode: the same run, the same steps, the same commands for all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import casadi as ca

from gerotor.core.layout import Layout
from gerotor.core.ode import Block, Bound, Ode


def side_by_side(name: str, odes: Mapping[str, Ode]) -> Ode:
    """One Ode of all; every signal of an Ode stands under its key: "full.arm.q.boom"."""
    parts = [(key, ode) for key, ode in odes.items()]
    time = parts[0][1].t
    blocks: list[Block] = []
    bounds: list[Bound] = []
    outputs: list[Any] = []
    offset = 0
    for key, ode in parts:
        blocks += [_moved(b, key, offset, ode, time) for b in ode.blocks]
        bounds += [replace(b, index=b.index + offset) for b in ode.bounds]
        outputs.append(ca.substitute(ode.y, ode.t, time))
        offset += len(ode.states)
    return Ode(
        name=name,
        states=_joined(parts, "states"), inputs=_joined(parts, "inputs"),
        parameters=_joined(parts, "parameters"), outputs=_joined(parts, "outputs"),
        blocks=tuple(blocks),
        x=ca.vertcat(*[o.x for _, o in parts]), u=ca.vertcat(*[o.u for _, o in parts]), p=ca.vertcat(*[o.p for _, o in parts]),
        t=time, y=ca.vertcat(*outputs), bounds=tuple(bounds),
    )


def _joined(parts: list[tuple[str, Ode]], kind: str) -> Layout:
    return Layout(tuple(replace(e, name=f"{key}.{e.name}") for key, ode in parts for e in getattr(ode, kind)))


def _moved(block: Block, key: str, offset: int, ode: Ode, time: Any) -> Block:
    def at_time(expression: Any) -> Any:
        return None if expression is None else ca.substitute(expression, ode.t, time)

    return replace(
        block, name=f"{key}.{block.name}", q=tuple(i + offset for i in block.q), v=tuple(i + offset for i in block.v),
        force=at_time(block.force), mass=at_time(block.mass), rate=at_time(block.rate),
    )
