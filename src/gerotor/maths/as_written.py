"""Keep expressions as they are written.

CasADi rewrites a product with an inverse, a * (1/b), as a division a/b, each time it meets one. Where
one inverse serves many products that costs a division for every product.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import casadi as ca


@contextmanager
def as_written() -> Iterator[None]:
    """Within this block CasADi simplifies nothing."""
    before = ca.GlobalOptions.getSimplificationOnTheFly()
    ca.GlobalOptions.setSimplificationOnTheFly(False)
    try:
        yield
    finally:
        ca.GlobalOptions.setSimplificationOnTheFly(before)
