import math

import numpy as np
import pytest

from gerotor.contact.material import material
from gerotor.contact.pipe_cut import PipeCut
from gerotor.viewer.slot import Slot

CUT = PipeCut(saw_radius=0.15, teeth=160, kerf_width=3e-3, saw_speed=math.pi, sense=1, pipe_y=2.76, pipe_z=-1.4,
              outer_radius=0.03, inner_radius=0.0245, feed_angle=0.0, feed_speed=2e-4, material=material("stainless steel"))


def test_nothing_before_contact_all_after() -> None:
    slot = Slot(CUT)
    assert not slot.advance([(2.57, -1.4)])
    assert slot.fraction == 0
    assert slot.advance([(2.60, -1.4), (2.645, -1.4)])
    assert slot.fraction == 1
    slot.reset()
    assert slot.fraction == 0


def test_half_way_agrees_with_the_area() -> None:
    """Rim at the pipe's centre: what lies within the saw's circle, counted on a fine grid."""
    slot = Slot(CUT)
    slot.advance([(2.61, -1.4)])
    y, z = np.meshgrid(np.linspace(-0.03, 0.03, 1201), np.linspace(-0.03, 0.03, 1201))
    r = np.hypot(y, z)
    wall = (r < 0.03) & (r > 0.0245)
    gone = wall & (np.hypot(y + 0.15, z) < 0.15)
    assert slot.fraction == pytest.approx(gone.sum() / wall.sum(), abs=0.01)
