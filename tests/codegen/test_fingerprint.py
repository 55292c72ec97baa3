"""A library found by its fingerprint is the library its source would have made."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gerotor.codegen import kernel
from gerotor.codegen.compiler import find_compiler
from gerotor.codegen.fingerprint import fingerprint
from gerotor.codegen.program import Program
from gerotor.integrators import INTEGRATORS
from gerotor.integrators.ab3 import AB3
from gerotor.integrators.hht_alpha import HHTAlpha
from gerotor.integrators.rk4 import RK4
from tests.codegen.plant import closed_loop

needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")


class Mine(RK4):
    """A user's own method."""


def program(method: Any = "rk4") -> Program:
    return closed_loop(method, compiled=False).program


def changed(base: Program, **fields: Any) -> Program:
    return Program(replace(base.ode, **fields), base.integrator, base.parts, base.tables)


def test_equal_for_equal_programs() -> None:
    assert fingerprint(program()) == fingerprint(program())


def test_everything_that_changes_the_source_changes_it() -> None:
    base = program()
    doubled = replace(base.ode.blocks[0], force=2 * base.ode.blocks[0].force)
    variants = [
        base,
        changed(base, blocks=(doubled, *base.ode.blocks[1:])),
        changed(base, y=base.ode.y + 1),
        Program(base.ode, base.integrator, (), base.tables),
        Program(base.ode, base.integrator, base.parts[:1], base.tables),
        *[program(name) for name in INTEGRATORS if name != "rk4"],
        program(HHTAlpha(alpha=-0.2)), program(HHTAlpha(coupling=True)),
    ]
    assert len({fingerprint(v) for v in variants}) == len(variants)


def test_a_users_own_integrator_has_none() -> None:
    assert fingerprint(program(Mine())) == ""


@needs_compiler
@pytest.mark.parametrize("method", [RK4(), AB3(), HHTAlpha()])
def test_the_second_start_writes_no_source_and_runs_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: Any
) -> None:
    monkeypatch.setenv("GEROTOR_CACHE", str(tmp_path))
    first = closed_loop(method).run(0.2, 0.005)

    def forbidden(_: Program) -> str:
        raise AssertionError("the source was written again")

    monkeypatch.setattr(kernel, "c_source", forbidden)
    again = closed_loop(method).run(0.2, 0.005)
    assert np.array_equal(first.values, again.values)
