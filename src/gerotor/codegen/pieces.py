"""Long generated functions in pieces, so that the time to compile them grows with their length and not with its cube.

CasADi writes a function as one block of assignments to scalars a0, a1, ...; a compiler's register allocation of one
block of 100,000 statements takes minutes. Each piece is a function of its own; what one piece leaves to those after
it stands in the array v. Every operation stays as it is and where it is in the order, so the results are the same
to the last bit as long as the compiler fuses no product with a sum (gcc -O1 does not).

Short functions stay whole: up to some thousand statements one block runs faster.
"""

from __future__ import annotations

import re

LONG, SIZE = 8000, 500  # statements

_FUNCTION = re.compile(r"^(static int casadi_f(\d+)\([^)]*\) \{\n)(.*?)^\}", re.M | re.S)
_DECLARED = re.compile(r"  (?:static )?(?:const )?casadi_real [^=]*(?: = .*)?;")
_POINTER = re.compile(r"^  ((?:const )?casadi_real \*)(\w+) =", re.M)
_STATEMENT = re.compile(r"  (a\d+|out\d+\[\d+\])=(.*);")
_SCALAR = re.compile(r"\ba\d+\b")
Statement = tuple[str, str]


def pieces(text: str, long: int = LONG, size: int = SIZE) -> str:
    """The source with every function above `long` statements cut into pieces of `size`; what is not recognised stays."""
    return _FUNCTION.sub(lambda match: _cut(match, long, size), text)


def _cut(match: re.Match[str], long: int, size: int) -> str:
    head, number, body = match.groups()
    if body.count("\n") <= long:
        return match[0]
    lines = body.splitlines()
    found = [_STATEMENT.fullmatch(line) for line in lines]
    statements = [(s[1], s[2]) for s in found if s]
    rest = [line for line, s in zip(lines, found, strict=True) if not s and line.strip()]
    if len(statements) <= long or rest.pop() != "  return 0;" or not all(_DECLARED.fullmatch(line) for line in rest):
        return match[0]
    blocks = [statements[k : k + size] for k in range(0, len(statements), size)]
    left = _left(blocks)
    places = {name: k for k, name in enumerate(sorted(set().union(*left)))}
    kept = [line for line in rest if not re.match(r"  casadi_real a\d", line)]
    pointers = _POINTER.findall("\n".join(kept))
    taken = ", ".join([*(kind + name for kind, name in pointers), "casadi_real *restrict v"])
    given = ", ".join([*(name for _, name in pointers), "v"])
    out = [
        f"static __attribute__((noinline)) void casadi_f{number}_{k}({taken}) {{\n{_piece(block, after, places)}}}\n"
        for k, (block, after) in enumerate(zip(blocks, left, strict=True))
    ]
    calls = "".join(f"  casadi_f{number}_{k}({given});\n" for k in range(len(blocks)))
    kept.append(f"  casadi_real v[{max(1, len(places))}];")
    return "".join((*out, head, *(line + "\n" for line in kept), calls, "  return 0;\n}"))


def _left(blocks: list[list[Statement]]) -> list[set[str]]:
    """For each block the scalars that those after it still read."""
    out: list[set[str]] = []
    needed: set[str] = set()
    for block in reversed(blocks):
        out.append(set(needed))
        for name, value in reversed(block):
            needed.discard(name)
            needed.update(_SCALAR.findall(value))
    return out[::-1]


def _piece(block: list[Statement], left: set[str], places: dict[str, int]) -> str:
    """What earlier blocks have left is read in v; what is left for later ones is written there where it is found."""
    last = {name: k for k, (name, _) in enumerate(block)}
    own: dict[str, None] = {}
    lines = []
    for k, (name, value) in enumerate(block):
        found = _SCALAR.sub(lambda m: m[0] if m[0] in own else f"v[{places[m[0]]}]", value)
        leave = f"v[{places[name]}]=" if name in left and last[name] == k else ""
        lines.append(f"  {leave}{name}={found};\n")
        if name[0] == "a":
            own[name] = None
    return (f"  casadi_real {', '.join(own)};\n" if own else "") + "".join(lines)
