"""Two bodies on a spring against the closed form."""

import numpy as np
import pytest

from gerotor.core.evaluate import evaluate
from gerotor.errors import ParameterError
from gerotor.mechanics.mass_chain import MassChain


def test_forces_between_neighbours_and_from_outside():
    chain = MassChain(masses=(2.0, 4.0, 5.0), stiffness=(10.0, 20.0), damping=(1.0, 3.0))
    out = evaluate(chain, x=[0.0, 0.1, 0.3], v=[1.0, 0.0, 2.0], f=[0.5, 0.0, -1.0])
    first, second = 10 * 0.1 + 1 * -1.0, 20 * 0.2 + 3 * 2.0
    np.testing.assert_allclose(np.ravel(out["d_v"]), [(0.5 + first) / 2, (second - first) / 4, (-1 - second) / 5])


def test_counts_are_checked():
    with pytest.raises(ParameterError, match="2 masses need 1"):
        MassChain(masses=(1.0, 1.0), stiffness=(), damping=())
