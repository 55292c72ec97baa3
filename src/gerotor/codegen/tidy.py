"""CasADi's C, made easier for a compiler: the same arithmetic, fewer calls and tests.

- Small helpers (sq, fmin, sign, copy, ...) become static inline: exported, they are calls through a table.
- fmin and fmax are comparisons with the answer of C's fmin and fmax for NaN, not library calls.
- An argument or result that may be absent is tested once a function, not once an element.
"""

from __future__ import annotations

import re

_HELPER = re.compile(r"^((?:casadi_real|casadi_int|void) casadi_\w+\()", re.M)
_FUNCTION = re.compile(
    r"^(static int casadi_f\d+\(const casadi_real\*\* arg, casadi_real\*\* res, casadi_int\* iw, casadi_real\* w, int mem\) \{\n)"
    r"(.*?)^\}", re.M | re.S,
)
_READ = re.compile(r"\barg\[(\d+)\]\? arg\[\1\]\[(\d+)\] : 0")
_WRITE = re.compile(r"\bif \(res\[(\d+)\]!=0\) res\[\1\]\[(\d+)\]=")


def tidy(text: str) -> str:
    """The source, rewritten; what is not recognised stays as it is."""
    text = _HELPER.sub(r"static inline \1", text)
    text = text.replace("return fmin(x, y);", "return x < y || y != y ? x : y;")
    text = text.replace("return fmax(x, y);", "return x > y || y != y ? x : y;")
    return _FUNCTION.sub(_once, text)


def _once(match: re.Match[str]) -> str:
    head, body = match.groups()
    read, written = _sizes(_READ, body), _sizes(_WRITE, body)
    lines = [f"  static const casadi_real none[{max(read.values())}] = {{0}};\n"] if read else []
    lines += [f"  casadi_real dump[{max(written.values())}];\n"] if written else []
    lines += [f"  const casadi_real *in{k} = arg[{k}] ? arg[{k}] : none;\n" for k in sorted(read)]
    lines += [f"  casadi_real *out{k} = res[{k}] ? res[{k}] : dump;\n" for k in sorted(written)]
    body = _WRITE.sub(r"out\1[\2]=", _READ.sub(r"in\1[\2]", body))
    return f"{head}{''.join(lines)}{body}}}"


def _sizes(pattern: re.Pattern[str], body: str) -> dict[int, int]:
    """Argument or result -> elements needed."""
    out: dict[int, int] = {}
    for which, index in pattern.findall(body):
        out[int(which)] = max(out.get(int(which), 0), int(index) + 1)
    return out
