"""What decides a program's C source, in a few bytes: a cached library is found without writing the source again.

The finished expressions, the integrator's options, where everything stands, and our own code that
turns the one into the other. Writing the C costs a hundred times as much.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib import resources

import casadi as ca

from gerotor.codegen.program import Program

OURS = "gerotor.integrators."
_WRITERS = ("core", "maths", "integrators", "codegen")


def fingerprint(program: Program) -> str:
    """Equal fingerprints mean equal C. Empty for a user's own integrator, whose code may change unseen."""
    kind = type(program.integrator)
    if not kind.__module__.startswith(OURS):
        return ""
    ode = program.ode
    expressions = [e for b in ode.blocks for e in (b.force, b.mass, b.rate) if e is not None]
    expressions += [e for b in ode.bounds for e in (b.lower, b.upper)]
    model = ca.Function("model", [ode.x, ode.u, ode.p, ode.t], [ode.y, *expressions])
    places = (
        [(b.q, b.v, b.mass is None, b.rate is None) for b in ode.blocks], [b.index for b in ode.bounds],
        len(program.held), len(program.discrete), program.slots,
        [program.held.index(n) for n in ode.inputs.names], program.table_offsets, [len(t.holds) for t in program.tables],
        sorted(program.part_functions),
    )
    parts = [f.serialize() for f in program.part_functions.values()]
    method = (ca.CasadiMeta.version(), kind.__qualname__, repr(program.integrator))
    texts = (_writers(), *method, repr(places), model.serialize(), *parts)
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


@lru_cache(maxsize=1)
def _writers() -> str:
    """A digest of our own code between expressions and C."""
    digest = hashlib.sha256()
    for folder in _WRITERS:
        for file in sorted((resources.files("gerotor") / folder).iterdir(), key=lambda f: f.name):
            if file.name.endswith((".py", ".c", ".h")):
                digest.update(file.read_bytes())
    return digest.hexdigest()
