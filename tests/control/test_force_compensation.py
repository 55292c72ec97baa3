"""With exact stiffness and damping the compensated wrench is the one at the desired pose."""

import casadi as ca
import numpy as np

from gerotor.control.force_compensation import compensate


def test_equals_the_wrench_at_the_desired_pose():
    rng = np.random.default_rng(1)
    k, c = np.array([4e4, 3.6e4, 3.2e4]), np.array([400.0, 240.0, 320.0])
    anchor, p_act, p_des, v_act, v_des = rng.standard_normal((5, 3))
    force = k * (p_act - anchor) + c * v_act
    F, M = compensate(ca.SX(force), ca.SX(np.cross(p_act, force)), p_act=ca.SX(p_act), v_act=ca.SX(v_act),
                      p_des=ca.SX(p_des), v_des=ca.SX(v_des), k=ca.SX(k), c=ca.SX(c))
    wanted = k * (p_des - anchor) + c * v_des
    np.testing.assert_allclose(np.asarray(ca.evalf(F)).ravel(), wanted, rtol=1e-12)
    np.testing.assert_allclose(np.asarray(ca.evalf(M)).ravel(), np.cross(p_des, wanted), rtol=1e-9)
