import numpy as np
import pytest

from gerotor.core.evaluate import evaluate
from gerotor.errors import WiringError
from gerotor.mechanics.line_of_action import LineOfAction
from gerotor.mechanics.rod import Rod
from tests.mechanics.four_bar import four_bar_tree


def test_isosceles_triangle_of_the_crank() -> None:
    """l = 2 cos(q / 2), v = -sin(q / 2) w, tau = -sin(q / 2) F on the crank alone."""
    rod = Rod(tree=four_bar_tree(), line=LineOfAction("rod", "anchor", "eye"))
    found = evaluate(rod, q=[1.0, 0.2, 0.3], w=[0.5, 2.0, 3.0], F=100.0)
    assert found["l"] == pytest.approx(2 * np.cos(0.5))
    assert found["v"] == pytest.approx(-0.5 * np.sin(0.5))
    assert found["tau"] == pytest.approx([-100 * np.sin(0.5), 0, 0])


def test_unknown_frame() -> None:
    with pytest.raises(WiringError, match="unknown frame 'nowhere'"):
        Rod(tree=four_bar_tree(), line=LineOfAction("rod", "nowhere", "eye"))
