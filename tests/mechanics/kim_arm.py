"""The 6-DOF pipe-cutting arm of [kim2021]: its D-H table; masses assumed."""

from math import pi

from gerotor.maths.pose import Pose
from gerotor.mechanics.body import Body
from gerotor.mechanics.denavit_hartenberg import DHRow, dh_joint
from gerotor.mechanics.frame import Frame, Payload
from gerotor.mechanics.tree import Tree

ROWS = [
    DHRow(0, 0, 0, 0), DHRow(-pi / 2, 0, 1.329, -pi / 2), DHRow(-pi / 2, 0, 0, -pi / 2),
    DHRow(0, 0.502, 0, 0), DHRow(-pi / 2, 0.482, 0, -pi / 2), DHRow(-pi / 2, 0, 0.9291, 0),
]
BODIES = [
    Body(250, (0, 0.25, 0), (15, 12, 15)), Body(180, (0, 0, -0.45), (18, 18, 4)), Body(110, (0.28, 0, 0), (1.5, 3.5, 3.5)),
    Body(85, (0.26, 0, 0), (1.2, 2.6, 2.6)), Body(60, (0, 0.15, 0), (1.2, 0.6, 1.2)), Body(45, (0, 0, -0.45), (2, 2, 0.4)),
]
RANGES = [(-pi / 2, pi / 2), (0, 0.4), (-pi / 2, pi / 2), (-pi / 2, pi / 2), (-pi / 2, pi / 2), (-pi, pi)]


def kim_arm() -> Tree:
    joints = tuple(
        dh_joint(f"j{k + 1}", "prismatic" if k == 1 else "revolute", ROWS[k], parent=f"j{k}" if k else None,
                 body=BODIES[k], lower=RANGES[k][0], upper=RANGES[k][1])
        for k in range(6)
    )
    tool = Payload("tool", "tcp", Body(40, (0, 0, 0), (0.6, 0.6, 0.6)))
    return Tree("arm", joints, (0, 0, -9.81), frames=(Frame("tcp", "j6", Pose()),), payloads=(tool,))
