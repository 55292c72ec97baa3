"""The mechanism of a machine file, open or closed, and where closed loops rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gerotor.core.component import Component
from gerotor.errors import InputError, unknown
from gerotor.machines.schema import LoopSpec, MachineFile
from gerotor.mechanics.closed_multibody import ClosedMultibody
from gerotor.mechanics.lockable_multibody import LockableMultibody
from gerotor.mechanics.loop import Distance, Loop, PointOnPoint, RevoluteLoop
from gerotor.mechanics.loop_assembly import assemble
from gerotor.mechanics.multibody import Multibody
from gerotor.mechanics.tree import Tree
from gerotor.units import quantity


def mechanism_of(file: MachineFile, tree: Tree, nominal: Tree, **options: Any) -> Component:
    """A Multibody, one whose joints lock, or a ClosedMultibody where the file closes loops; `nominal` is the tree
    with the numbers of the file where it has symbols."""
    if not file.loops or file.assembly is None:
        if file.model.locks:
            return LockableMultibody(tree=tree, time_constant=file.model.follower_time, **options)
        return Multibody(tree=tree, **options)
    if file.model.locks:
        raise InputError("model.lines = reduced locks joints: not with closed loops; choose full or none")
    independent = file.assembly.independent
    return ClosedMultibody(
        tree=tree, nominal=nominal, loops=tuple(_loop(s) for s in file.loops), start=_start(file, tree), **options,
        independent=None if independent is None else tuple(independent),
    )


def closed_rest(file: MachineFile, tree: Tree, arm: Component, q: Mapping[str, float] | None) -> dict[str, float]:
    """Positions of the independent joints and the guess of the others, with independent joints moved to `q`."""
    assert isinstance(arm, ClosedMultibody)
    names = [tree.names[k] for k in arm.assembled.independent]
    for name in q or {}:
        if name not in names:
            raise InputError(f"{file.name}: {unknown('independent joint', name, names)}; the others follow from it")
    start = dict(zip(tree.names, (float(v) for v in arm.assembled.q), strict=True))
    at = assemble(tree, arm.loops, {**start, **(q or {})}, names)
    out = {f"arm.q.{tree.names[k]}": float(at.q[k]) for k in at.independent}
    return out | {f"arm.guess.{tree.names[k]}": float(at.q[k]) for k in at.dependent}


def _start(file: MachineFile, tree: Tree) -> dict[str, float]:
    given = file.assembly.start if file.assembly else {}
    for name in given:
        if name not in tree.names:
            raise InputError(f"assembly.start: {unknown('joint', name, list(tree.names))}")
    return {n: quantity(v, tree.moving[tree.names.index(n)].unit, f"assembly.start.{n}") for n, v in given.items()}


def _loop(spec: LoopSpec) -> Loop:
    if spec.length is not None:
        return Distance(spec.name, spec.a, spec.b, spec.length)
    return (RevoluteLoop if spec.kind == "revolute" else PointOnPoint)(spec.name, spec.a, spec.b)
