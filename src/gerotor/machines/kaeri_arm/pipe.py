"""The pipe, the saw and the cut of the pipe-cutting arm, for studies and live runs alike.

30 rpm, 12 mm/min along +y from (2570, -1445) mm over 80 mm, 880 MPa: [kim2021, section IV-C]. Not given there:
the pipe (contact from 10 to 70 mm of travel needs an outer radius of 30 mm, whatever the saw), its wall (Schedule
80), the saw (must swallow the pipe and its flange; 80 teeth a second stay clear of the arm's modes near 33 Hz).
"""

from __future__ import annotations

import math

from gerotor.contact.material import material
from gerotor.contact.pipe_cut import PipeCut

FEED = 0.012 / 60
CUT_START = (0.0, 2.570, -1.445)
CUT_LENGTH = 0.080
PIPE_CUT = PipeCut(
    saw_radius=0.150, teeth=160, kerf_width=3e-3, saw_speed=math.pi, sense=1, pipe_y=2.760, pipe_z=-1.445,
    outer_radius=0.030, inner_radius=0.0245, feed_angle=0.0, feed_speed=FEED, material=material("stainless steel"),
)
CUT_PITCH = math.radians(-60)  # assumed: the joint ranges leave -72 .. -53 and -46 .. -42 deg
OPEN_LOOP_START = {"j2": 0.2, "j3": math.radians(-20), "j4": math.radians(-30)}  # assumed
