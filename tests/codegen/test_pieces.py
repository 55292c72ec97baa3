"""Cut into pieces, a kernel gives the same numbers to the last bit."""

import ctypes
import re

import casadi as ca
import numpy as np
import pytest

from gerotor.codegen import source
from gerotor.codegen.compiler import FLAGS, find_compiler, load
from gerotor.codegen.pieces import LONG, pieces
from gerotor.codegen.source import c_source, generated
from gerotor.codegen.tidy import tidy
from gerotor.machines.machine import load_machine
from gerotor.simulation.simulation import Simulation

UNFUSED = (*FLAGS, "-ffp-contract=off")  # gcc -O1 fuses nothing anyway, clang would
needs_compiler = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")


@needs_compiler
@pytest.mark.parametrize("size", [9, 500])
def test_a_machine_in_pieces_runs_the_same_to_the_last_bit(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    assembled = load_machine("forestry-crane").assemble()
    ode, start = assembled.ode(), assembled.rest()
    ends = []
    monkeypatch.setattr("gerotor.codegen.kernel.load", lambda text, key: load(text, UNFUSED))
    for cut in (lambda text: text, lambda text: pieces(text, 400, size)):
        monkeypatch.setattr(source, "pieces", cut)
        run = Simulation(ode)
        world = run.world(1e-3, start=start)
        assert run.kernel.run(world, 50) == 0
        ends.append((np.array(world.x), c_source(run.program)))
    assert ends[0][0].tobytes() == ends[1][0].tobytes()
    assert "noinline" not in ends[0][1]
    assert ends[1][1].count("noinline") > 4000 / size


def function(n: int) -> ca.Function:
    """Values read long after they were found, names used again."""
    x = ca.SX.sym("x", 3)
    terms = [ca.sin(x[0]), x[1] * x[2]]
    for k in range(n):
        terms.append(terms[-1] * terms[k // 2] + ca.fmin(terms[-2], x[k % 3]))
    return ca.Function("gerotor_f", [x], [ca.vertcat(*terms[::7]), terms[-1]])


@needs_compiler
@pytest.mark.parametrize("size", [1, 2, 10, 1000])
def test_pieces_of_any_size_give_the_same(size: int) -> None:
    f = function(100)
    generator = ca.CodeGenerator("k.c")
    generator.add(f)
    text = tidy(generator.dump())
    x, outs = np.array([0.3, -0.2, 1.1]), []
    for variant in (text, pieces(text, 0, size)):
        library = load(variant, UNFUSED)
        rows = [np.empty(f.size1_out(0)), np.empty(1)]
        res = np.array([r.ctypes.data for r in rows] + [0] * 8)
        arg = np.array([x.ctypes.data] + [0] * 8)
        work = np.empty(f.sz_w() + 1)
        library.gerotor_f.argtypes = [ctypes.c_void_p] * 4
        library.gerotor_f(arg.ctypes.data, res.ctypes.data, 0, work.ctypes.data)
        outs.append(np.concatenate(rows))
    assert outs[0].tobytes() == outs[1].tobytes()
    np.testing.assert_allclose(outs[0], np.concatenate([np.array(v).ravel() for v in f(x)]), rtol=1e-12)


def test_short_functions_stay_whole() -> None:
    assert "noinline" not in generated({"f": function(50)})
    text = generated({"f": function(LONG)})
    assert len(re.findall(r"noinline\)\) void", text)) > 10


def test_what_is_not_plain_statements_stays_as_it_is() -> None:
    head = "static int casadi_f0(const casadi_real** arg, casadi_real** res, casadi_int* iw, casadi_real* w, int mem) {\n"
    odd = head + "  casadi_real a0;\n  a0=1.;\n  if (casadi_f1(arg, res, iw, w, 0)) return 1;\n  a0=2.;\n  return 0;\n}"
    assert pieces(odd, 0, 1) == odd
