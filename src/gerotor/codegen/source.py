"""A program as C source: CasADi's functions, the tables of parts, the loop."""

from __future__ import annotations

import tempfile
from importlib import resources
from pathlib import Path
from typing import Any

import casadi as ca

from gerotor.codegen.pieces import pieces
from gerotor.codegen.program import Program
from gerotor.codegen.tidy import tidy
from gerotor.codegen.world import CALLS, PARTS


def c_source(program: Program) -> str:
    """One self-contained C file with the entry gerotor_run."""
    functions = program.functions()
    return "\n".join((generated(functions), _constants(program, functions), _loop(program, functions)))


def generated(functions: dict[str, Any]) -> str:
    """CasADi functions as C, without entry points or loop."""
    generator = ca.CodeGenerator("kernel.c", {"casadi_int": "long long int"})
    for function in functions.values():
        generator.add(function)
    with tempfile.TemporaryDirectory() as folder:
        generator.generate(folder + "/")
        return pieces(tidy((Path(folder) / "kernel.c").read_text()))


def _constants(program: Program, functions: dict[str, Any]) -> str:
    sizes = {
        "N_X": len(program.ode.states), "N_M": program.memory, "N_W": len(program.held), "N_D": len(program.discrete),
        "N_Y": len(program.ode.outputs), "N_PARTS": len(program.parts), "N_TABLES": len(program.tables),
        "WARMUP": program.method.warmup, "DIVISIBLE": int(program.method.divisible), "PARTS": PARTS, "CALLS": CALLS,
        "SZ_ARG": max(f.sz_arg() for f in functions.values()) + 8, "SZ_RES": max(f.sz_res() for f in functions.values()) + 8,
        "SZ_IW": max(f.sz_iw() for f in functions.values()) + 1, "SZ_W": max(f.sz_w() for f in functions.values()) + 1,
    }
    lines = [f"#define {name} {value}" for name, value in sizes.items()]
    start = "arg[0] = X; arg[1] = W; arg[2] = P; arg[3] = T; res[0] = M; gerotor_start(arg, res, iw, wk, 0)"
    lines.append(f"#define START(X, W, P, T, M) do {{ {start if 'start' in functions else ''}; }} while (0)")
    return "\n".join([*lines, f"#define WARM gerotor_{'warm' if 'warm' in functions else 'step'}"])


def _loop(program: Program, functions: dict[str, Any]) -> str:
    parts = [
        f"{{{f'gerotor_part{k}' if f'part{k}' in functions else '0'}, {slot.d.start}, {slot.w.start}}}"
        for k, slot in enumerate(program.slots)
    ]
    sizes = [f"{{{s.d.stop - s.d.start}, {s.w.stop - s.w.start}}}" for s in program.slots]
    tables = [f"{{{w}, {len(t.holds)}}}" for w, t in zip(program.table_offsets, program.tables, strict=True)]
    entries = "\n".join((
        f"static const PartEntry parts[] = {{{', '.join(parts) or '{0, 0, 0}'}}};",
        f"static const struct {{ int d, w; }} part_sizes[] = {{{', '.join(sizes) or '{0, 0}'}}};",
        f"static const TableEntry tables[] = {{{', '.join(tables) or '{0, 0}'}}};",
    ))
    text = (resources.files("gerotor.codegen") / "loop.c").read_text()
    return text.replace("GEROTOR_WORLD", world_header()).replace("GEROTOR_ENTRIES", entries)


def world_header() -> str:
    """The C declaration of the running data, for whatever else works on it."""
    return (resources.files("gerotor.codegen") / "world.h").read_text()
