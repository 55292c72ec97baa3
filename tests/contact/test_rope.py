"""Pull tests along one axis, and the integral of a varying stiffness."""

import casadi as ca
import numpy as np
import pytest
from scipy.integrate import quad

from gerotor.contact.rope import Rope, VaryingRope, triangle
from gerotor.core.component import Signals


def pull(rope, l, v=(0.0, 0.0, 0.0)):
    out = rope.output(Signals(), Signals(l=ca.SX(l), v=ca.SX(v)))
    return [np.asarray(ca.evalf(getattr(out, k))).ravel() for k in "Fk"]


def test_constant_rope():
    force, stiffness = pull(Rope(stiffness=(4e4, 3.6e4, 3.2e4), damping=(400.0, 240.0, 320.0)), (0.01, 0, 0), (0, 0.1, 0))
    np.testing.assert_allclose(force, [400, 24, 0], atol=1e-12)
    np.testing.assert_allclose(stiffness, [4e4, 3.6e4, 3.2e4])


def test_stiffening_rope_doubles_at_its_scale_and_integrates_its_stiffness():
    rope = Rope(stiffness=(1e5, 9e4, 8e4), damping=(0.0, 0.0, 0.0), stiffening=1 / 0.015)
    force, stiffness = pull(rope, (0.015, -0.008, 0.0))
    assert stiffness[0] == pytest.approx(2e5)
    by_integration = quad(lambda l: 9e4 * (1 + (l / 0.015) ** 2), 0, -0.008)[0]
    assert force[1] == pytest.approx(by_integration, rel=1e-12)


def test_varying_rope_acts_on_new_deformation_only():
    rope = VaryingRope(stiffness=(4e4,) * 3, damping=(100.0,) * 3)
    still = rope.derivative(Signals(f=ca.SX.zeros(3)), Signals(l=ca.SX([0.01, 0, 0]), v=ca.SX.zeros(3), g=ca.SX(1.0)))
    np.testing.assert_allclose(np.asarray(ca.evalf(still.f)).ravel(), 0)
    moving = rope.derivative(Signals(f=ca.SX.zeros(3)), Signals(l=ca.SX([0.01, 0, 0]), v=ca.SX([0.1, 0, 0]), g=ca.SX(0.5)))
    assert float(ca.evalf(moving.f[0])) == pytest.approx(0.5 * 4e4 * 0.1)
    out = rope.output(Signals(f=ca.SX([7.0, 0, 0])), Signals(l=ca.SX([0.01, 0, 0]), v=ca.SX([0.1, 0, 0]), g=ca.SX(0.5)))
    assert float(ca.evalf(out.F[0])) == pytest.approx(400 + 7 + 1.5 * 100 * 0.1)


@pytest.mark.parametrize(("t", "value"), [(0, 0), (1, 0.5), (2, 1), (3, 0.5), (4, 0), (5, 0.5)])
def test_triangle(t, value):
    assert float(ca.evalf(triangle(ca.SX(t), 4.0))) == pytest.approx(value)
